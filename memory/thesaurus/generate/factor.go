package main

import (
	"math"
	"math/rand/v2"
)

// sparse is a matrix by rows, terms by senses.
type sparse struct {
	rows    [][]cell
	columns int
}

type cell struct {
	column int32
	value  float64
}

// positivePMI replaces counts by positive pointwise mutual information, with the
// columns' shares smoothed by the power of 0.75 (Levy, Goldberg and Dagan, 2015).
func (m *sparse) positivePMI() {
	const smooth = 0.75
	rows, columns := make([]float64, len(m.rows)), make([]float64, m.columns)
	var total, smoothed float64
	for i, row := range m.rows {
		for _, c := range row {
			rows[i] += c.value
			columns[c.column] += c.value
			total += c.value
		}
	}
	for j := range columns {
		columns[j] = math.Pow(columns[j], smooth)
		smoothed += columns[j]
	}
	for i, row := range m.rows {
		kept := row[:0]
		for _, c := range row {
			if pmi := math.Log(float64(c.value*smoothed) / float64(rows[i]*columns[c.column])); pmi > 0 {
				kept = append(kept, cell{c.column, pmi})
			}
		}
		m.rows[i] = kept
	}
}

// factor returns the rows of U·Σ^½ of a truncated singular value decomposition, by
// a randomised range finder (Halko, Martinsson and Tropp, 2011).
func (m *sparse) factor(dim int) [][]float64 {
	const extra, powers = 12, 2
	width := dim + extra
	random := rand.New(rand.NewPCG(1, 2))
	omega := dense(m.columns, width)
	for i := range omega {
		for j := range omega[i] {
			omega[i][j] = random.NormFloat64()
		}
	}
	y := m.times(omega)
	orthonormal(y)
	for range powers {
		z := m.transposedTimes(y)
		orthonormal(z)
		y = m.times(z)
		orthonormal(y)
	}
	// The small matrix B = YᵀA, by its Gram matrix BBᵀ.
	b := m.transposedTimes(y) // Bᵀ
	values, vectors := eigen(gram(b))
	out := dense(len(m.rows), dim)
	for i := range y {
		for k := range dim {
			var sum float64
			for j := range width {
				sum += float64(y[i][j] * vectors[j][k])
			}
			out[i][k] = sum * math.Sqrt(math.Sqrt(max(values[k], 0)))
		}
	}
	return out
}

func dense(n, width int) [][]float64 {
	all := make([]float64, n*width)
	out := make([][]float64, n)
	for i := range out {
		out[i] = all[i*width : (i+1)*width : (i+1)*width]
	}
	return out
}

func (m *sparse) times(x [][]float64) [][]float64 {
	out := dense(len(m.rows), len(x[0]))
	for i, row := range m.rows {
		for _, c := range row {
			for k, v := range x[c.column] {
				out[i][k] += float64(c.value * v)
			}
		}
	}
	return out
}

func (m *sparse) transposedTimes(x [][]float64) [][]float64 {
	out := dense(m.columns, len(x[0]))
	for i, row := range m.rows {
		for _, c := range row {
			to := out[c.column]
			for k, v := range x[i] {
				to[k] += float64(c.value * v)
			}
		}
	}
	return out
}

func gram(x [][]float64) [][]float64 {
	n := len(x[0])
	out := dense(n, n)
	for _, row := range x {
		for i := range n {
			for j := i; j < n; j++ {
				out[i][j] += float64(row[i] * row[j])
			}
		}
	}
	for i := range n {
		for j := range i {
			out[i][j] = out[j][i]
		}
	}
	return out
}

// orthonormal makes the columns of x orthonormal by the eigenvectors of their Gram
// matrix.
func orthonormal(x [][]float64) {
	values, vectors := eigen(gram(x))
	n := len(values)
	row := make([]float64, n)
	for _, r := range x {
		copy(row, r)
		for k := range n {
			var sum float64
			for j := range n {
				sum += float64(row[j] * vectors[j][k])
			}
			r[k] = sum / math.Sqrt(max(values[k], 1e-300))
		}
	}
}

// eigen returns the eigenvalues of a symmetric matrix, greatest first, and its
// eigenvectors as columns, each with its greatest number positive, by Jacobi's
// rotations.
func eigen(a [][]float64) ([]float64, [][]float64) {
	n := len(a)
	v := dense(n, n)
	for i := range v {
		v[i][i] = 1
	}
	for range 60 {
		var off, all float64
		for i := range n {
			for j := range n {
				square := float64(a[i][j] * a[i][j])
				all += square
				if i != j {
					off += square
				}
			}
		}
		if off <= 1e-24*all {
			break
		}
		for p := range n {
			for q := p + 1; q < n; q++ {
				rotate(a, v, p, q)
			}
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
		for j := i; j > 0 && a[order[j]][order[j]] > a[order[j-1]][order[j-1]]; j-- {
			order[j], order[j-1] = order[j-1], order[j]
		}
	}
	values, vectors := make([]float64, n), dense(n, n)
	for k, from := range order {
		values[k] = a[from][from]
		greatest := 0
		for i := range n {
			if math.Abs(v[i][from]) > math.Abs(v[greatest][from]) {
				greatest = i
			}
		}
		sign := 1.0
		if v[greatest][from] < 0 {
			sign = -1
		}
		for i := range n {
			vectors[i][k] = sign * v[i][from]
		}
	}
	return values, vectors
}

func rotate(a, v [][]float64, p, q int) {
	if a[p][q] == 0 {
		return
	}
	theta := (a[q][q] - a[p][p]) / (2 * a[p][q])
	t := 1 / (math.Abs(theta) + math.Sqrt(float64(theta*theta)+1))
	if theta < 0 {
		t = -t
	}
	c := 1 / math.Sqrt(float64(t*t)+1)
	s := t * c
	turn := func(x, y *float64) {
		*x, *y = float64(c**x)-float64(s**y), float64(s**x)+float64(c**y)
	}
	for i := range a {
		turn(&a[i][p], &a[i][q])
	}
	for i := range a {
		turn(&a[p][i], &a[q][i])
	}
	for i := range v {
		turn(&v[i][p], &v[i][q])
	}
}
