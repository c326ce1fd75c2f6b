package memory_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/host/simple"
	"github.com/epagent/epagent/privacy"
)

func newRecaller(t interface{ Fatal(...any) }, s *memory.Store, opts memory.RecallOptions) *memory.Recaller {
	r, err := memory.NewRecaller(s, opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRecallFinds(t *testing.T) {
	ctx := t.Context()
	s := openNew(t)
	b := withLayers(talk("s1", "c1", "I moved to Ghent.", "The choir sings on Friday."), talk("s2", "c2", "我搬到了北京。", "祝你好运。"))
	b.Facts = []memory.Fact{
		fact("ghent", "Mia moved to Ghent.", "s1", "s1-0"), fact("choir", "The choir sings on Friday.", "s1", "s1-1"), fact("beijing", "Mia 搬到了北京。", "s2", "s2-0"),
	}
	b.Facts[1].SaidAt = privacy.Stamp{Local: "2023-05-08"}
	apply(t, s, b)
	r := newRecaller(t, s, memory.RecallOptions{Host: simple.New(s)})
	cases := []struct{ question, want string }{
		{"where did Mia move?", "ghent"}, {"singing choirs", "choir"}, {"北京", "beijing"}, {"what happened on 8 May 2023?", "choir"},
	}
	for _, c := range cases {
		for view, keep := range map[string]func(privacy.FactID) bool{"owner": nil, "recipient": func(privacy.FactID) bool { return true }} {
			hits, err := r.Facts(ctx, memory.Query{Text: c.question, K: 2, Keep: keep})
			if err != nil || len(hits) == 0 || string(hits[0].Fact) != c.want || hits[0].Score <= 0 || hits[0].Score > 1 {
				t.Errorf("%s as %s: %+v, %v; want %s first", c.question, view, hits, err, c.want)
			}
			if view == "recipient" && len(hits) > 0 && (hits[0].Native != 0 || hits[0].Score != 1) {
				t.Errorf("%s: a recipient's hit by the host's score: %+v", c.question, hits[0])
			}
		}
	}
	for _, vain := range []string{"", "the", "xylophone quarrel", "\x00\xff"} {
		if hits, err := r.Facts(ctx, memory.Query{Text: vain, K: 5}); err != nil || len(hits) > 0 {
			t.Errorf("%q finds %+v, %v", vain, hits, err)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if hits, err := r.Facts(cancelled, memory.Query{Text: "Ghent"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v, %v", hits, err)
	}
}

// What another process stores, edits and forgets is seen at the next question.
func TestRecallFollowsOtherProcesses(t *testing.T) {
	ctx := t.Context()
	s := openNew(t)
	other := open(t, s.Path(), options())
	r := newRecaller(t, s, memory.RecallOptions{})
	ask := func() (out []privacy.FactID) {
		hits, err := r.Facts(ctx, memory.Query{Text: "apple pear"})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range hits {
			out = append(out, h.Fact)
		}
		slices.Sort(out)
		return out
	}
	steps := []struct {
		do   func() error
		want []privacy.FactID
	}{
		{func() error { return nil }, nil},
		{func() error {
			_, err := other.Apply(ctx, memory.Batch{Facts: []memory.Fact{fact("b", "An apple.", "")}})
			return err
		}, []privacy.FactID{"b"}},
		{func() error {
			_, err := other.Apply(ctx, memory.Batch{Facts: []memory.Fact{fact("a", "A pear.", "")}})
			return err
		}, []privacy.FactID{"a", "b"}},
		{func() error {
			return other.UpdateFact(ctx, "b", func(f *memory.Fact) error { f.Text = "A plum."; return nil })
		}, []privacy.FactID{"a"}},
		{func() error {
			_, err := other.Forget(ctx, memory.Forget{Facts: []privacy.FactID{"a"}})
			return err
		}, nil},
	}
	for i, step := range steps {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		if got := ask(); !slices.Equal(got, step.want) {
			t.Errorf("step %d: %v, want %v", i, got, step.want)
		}
	}
}

// fewerChecks makes rapid draw n examples instead of its default number, unless
// the command line asks for another one.
func fewerChecks(t *testing.T, n int) {
	f := flag.Lookup("rapid.checks")
	if f == nil || f.Value.String() != f.DefValue {
		return
	}
	if err := f.Value.Set(fmt.Sprint(n)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Value.Set(f.DefValue) })
}

var vocabulary = []string{"apple", "pear", "choir", "Ghent", "doctor", "salary", "wedding", "北京", "搬家", "Friday", "secret", "offer"}

var people = []string{"Mia", "Jon Berg", "小明", ""}

func genText(t *rapid.T, name string) string {
	words := rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 6).Draw(t, name)
	out := ""
	for _, w := range words {
		out += w + " "
	}
	return out
}

// blankStore is the file of an empty store: copying it is quicker than making one.
var blankStore = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "blank")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	s, err := memory.Open(context.Background(), filepath.Join(dir, memory.FileName), options())
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, memory.FileName))
})

func tempStore(t *rapid.T, dir string, n int) *memory.Store {
	blank, err := blankStore()
	path := filepath.Join(dir, fmt.Sprint(n)+".db")
	if err == nil {
		err = os.WriteFile(path, blank, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := memory.Open(context.Background(), path, options())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// With a denied fact removed from the store, a recipient's hits are the same to
// the byte.
func TestRecallIgnoresDenied(t *testing.T) {
	fewerChecks(t, 40)
	dir, n := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		n++
		full, bare := tempStore(t, dir, 2*n), tempStore(t, dir, 2*n+1)
		defer full.Close()
		defer bare.Close()
		allowed := map[privacy.FactID]bool{}
		var all, some []memory.Fact
		for i := range rapid.IntRange(0, 25).Draw(t, "facts") {
			session := rapid.SampledFrom([]string{"s1", "s2"}).Draw(t, "session")
			f := fact(privacy.FactID(fmt.Sprint("f", i)), genText(t, "text"), session, fmt.Sprint(session, "-", rapid.IntRange(0, 1).Draw(t, "turn")))
			f.Speaker, f.Subject = rapid.SampledFrom(people).Draw(t, "speaker"), rapid.SampledFrom(people).Draw(t, "subject")
			f.SaidAt = privacy.At(noon.AddDate(0, rapid.IntRange(0, 5).Draw(t, "month"), 0))
			all = append(all, f)
			if rapid.Bool().Draw(t, "allowed") {
				allowed[f.ID] = true
				some = append(some, f)
			}
		}
		for s, facts := range map[*memory.Store][]memory.Fact{full: all, bare: some} {
			b := withLayers(talk("s1", "c1", "apple pear", "doctor"), talk("s2", "c2", "choir?", "salary"))
			b.Facts = facts
			if _, err := s.Apply(ctx, b); err != nil {
				t.Fatal(err)
			}
		}
		q := memory.Query{Today: "2023-07-01", Near: true, Text: rapid.SampledFrom([]string{"", "When did Jon last ", "last month, how many "}).Draw(t, "cue") + genText(t, "question"), K: rapid.IntRange(0, 8).Draw(t, "k"), Keep: func(id privacy.FactID) bool { return allowed[id] }}
		got, err := newRecaller(t, full, memory.RecallOptions{Host: simple.New(full)}).Facts(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		want, err := newRecaller(t, bare, memory.RecallOptions{Host: simple.New(bare)}).Facts(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		if g, w := fmt.Sprintf("%#v", got), fmt.Sprintf("%#v", want); g != w {
			t.Fatalf("with the denied facts %s\nwithout them %s", g, w)
		}
		// The k best are the first k of all.
		q.K = 0
		everything, err := newRecaller(t, full, memory.RecallOptions{}).Facts(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if got[i] != everything[i] {
				t.Fatalf("hit %d of k is %+v, of all %+v", i, got[i], everything[i])
			}
		}
	})
}

// fakeHost ranks what it is told to.
type fakeHost struct {
	hits  []memory.NativeHit
	asked *int // how often
}

func (fakeHost) Name() string { return "fake" }
func (fakeHost) Compose(context.Context, *memory.Session) (memory.Layers, error) {
	return memory.Layers{}, nil
}
func (h fakeHost) Search(_ context.Context, _ string, k int) ([]memory.NativeHit, error) {
	if h.asked != nil {
		*h.asked++
	}
	if k > 0 && k < len(h.hits) {
		return slices.Clone(h.hits[:k]), nil
	}
	return slices.Clone(h.hits), nil
}

// failingEmbedder has an error when it is asked and fail is set.
type failingEmbedder struct {
	memory.HashEmbedder
	fail *bool
}

func (e failingEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if *e.fail {
		return nil, errors.New("the event side was asked")
	}
	return e.HashEmbedder.Embed(ctx, texts)
}

// With β = 0 the overlay is the host's ranking to the byte, in the host's own
// order of ties, and the event side isn't even asked.
func TestOverlayBetaZero(t *testing.T) {
	ctx := t.Context()
	fail := false
	opts := options()
	opts.Embedder = failingEmbedder{fail: &fail}
	s := open(t, filepath.Join(t.TempDir(), memory.FileName), opts)
	b := withLayers(talk("s1", "c1", "apple pear", "doctor"))
	b.Facts = []memory.Fact{fact("f1", "Mia saw a doctor.", "s1", "s1-1")}
	apply(t, s, b)
	fail = true
	hits := []memory.NativeHit{{Entry: "z", Session: "s1", Score: 0.3}, {Entry: "a", Session: "s1", Score: 0.3}, {Entry: "m", Session: "s9", Score: 0.1 + 0.2}}
	r := newRecaller(t, s, memory.RecallOptions{Host: fakeHost{hits: hits}, Alpha: 1})
	o, err := memory.NewOverlay(r, memory.Weights{})
	if err != nil {
		t.Fatal(err)
	}
	for k := range 4 {
		got, err := o.Entries(ctx, "doctor", k)
		if err != nil {
			t.Fatal(err)
		}
		var back []memory.NativeHit
		for _, h := range got {
			back = append(back, memory.NativeHit{Entry: h.Entry, Session: h.Session, Score: memory.NativeScore(h.Score)})
		}
		want := hits
		if k > 0 {
			want = hits[:min(k, len(hits))]
		}
		if g, w := fmt.Sprintf("%#v", back), fmt.Sprintf("%#v", want); g != w {
			t.Errorf("k = %d: %s, want %s", k, g, w)
		}
	}
}

func TestOverlayFuses(t *testing.T) {
	ctx := t.Context()
	s := openNew(t)
	b := withLayers(talk("s1", "c1", "apple pear", "the doctor came", "salary"))
	b.Facts = []memory.Fact{fact("f1", "Mia saw a doctor.", "s1", "s1-1"), fact("f2", "Mia's salary rose, says the doctor.", "s1", "s1-2")}
	apply(t, s, b)
	hits := []memory.NativeHit{{Entry: "s1/s1-0", Session: "s1", Score: 0.5}, {Entry: "s1/s1-1", Session: "s1", Score: 0.25}}
	o, err := memory.NewOverlay(newRecaller(t, s, memory.RecallOptions{Host: fakeHost{hits: hits}}), memory.Weights{Alpha: 0.4, Beta: 0.6})
	if err != nil {
		t.Fatal(err)
	}
	got, err := o.Entries(ctx, "doctor", 0)
	if err != nil || len(got) != 3 {
		t.Fatalf("entries %+v, %v", got, err)
	}
	// s1-1: 0.4·(0.25/0.5) + 0.6·1; s1-0: 0.4·1; s1-2 comes in by its fact alone.
	if got[0].Entry != "s1/s1-1" || got[0].Score != 0.4*0.5+0.6 || got[0].Event != 1 {
		t.Errorf("first: %+v", got[0])
	}
	for _, h := range got[1:] {
		switch h.Entry {
		case "s1/s1-0":
			// Nearest to a fact beside its evidence: at most half of the fact's score.
			if h.Event > 0.5 || math.Abs(h.Score-(0.4+0.6*float64(h.Event))) > 1e-12 {
				t.Errorf("the host's best: %+v", h)
			}
		case "s1/s1-2":
			if h.Native != 0 || h.Event <= 0 || h.Event >= 1 || h.Score != 0.6*float64(h.Event) {
				t.Errorf("the event side's own: %+v", h)
			}
		}
	}
	facts, err := newRecaller(t, s, memory.RecallOptions{Host: fakeHost{hits: hits}, Alpha: 0.4, Beta: 0.6}).Facts(ctx, memory.Query{Text: "doctor"})
	if err != nil || len(facts) != 2 || facts[0].Fact != "f1" || facts[0].Score != 0.4*0.5+0.6 || facts[0].Native != 0.5 {
		t.Errorf("facts by both sides: %+v, %v", facts, err)
	}
	asked := 0
	r := newRecaller(t, s, memory.RecallOptions{Host: fakeHost{hits: hits, asked: &asked}})
	if _, err := r.Facts(ctx, memory.Query{Text: "doctor", Keep: func(privacy.FactID) bool { return true }}); err != nil || asked != 0 {
		t.Errorf("for a recipient the host was asked %d times, %v", asked, err)
	}
	if _, err := memory.NewRecaller(s, memory.RecallOptions{Host: fakeHost{}, Alpha: 0.5, Beta: 0.6}); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("weights above 1: %v", err)
	}
	if _, err := memory.NewOverlay(newRecaller(t, s, memory.RecallOptions{}), memory.Weights{}); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("an overlay without a host: %v", err)
	}
}

func TestFuseStaysInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		score := rapid.Float64Range(0, 3)
		alpha := rapid.Float64Range(0, 1).Draw(t, "alpha")
		w := memory.Weights{Alpha: alpha, Beta: 1 - alpha}
		n, e := score.Draw(t, "n"), score.Draw(t, "e")
		got := memory.Fuse(w, memory.NativeScore(n), memory.NativeScore(max(n, score.Draw(t, "nmax"))), memory.EventScore(e), memory.EventScore(max(e, score.Draw(t, "emax"))))
		if !(got >= 0 && got <= 1+1e-12) {
			t.Fatalf("fused score %v", got)
		}
	})
}

// Facts without shared evidence are linked to the nearest entries of their session.
func TestLinksByCosine(t *testing.T) {
	s := openNew(t)
	b := withLayers(talk("s1", "c1", "apple pear plum", "apple pear", "apple", "doctor", "apple pear plum quince"), talk("s2", "c2", "apple pear plum"))
	b.Facts = []memory.Fact{fact("f1", "apple pear plum", "s1")}
	apply(t, s, b)
	got, err := s.Fact(t.Context(), "f1")
	if diff := cmp.Diff([]string{"s1/s1-0", "s1/s1-4", "s1/s1-1"}, got.Entries); err != nil || diff != "" {
		t.Errorf("links: %v (-want +got):\n%s", err, diff)
	}
	// Facts that come before their session's layers are linked when those come.
	late := openNew(t)
	apply(t, late, memory.Batch{Sessions: b.Sessions, Facts: b.Facts})
	apply(t, late, memory.Batch{Layers: b.Layers})
	if again, err := late.Fact(t.Context(), "f1"); err != nil || !slices.Equal(again.Entries, got.Entries) {
		t.Errorf("links made later: %v, %v", again.Entries, err)
	}
}

func TestReindex(t *testing.T) {
	ctx := t.Context()
	s := openNew(t)
	b := withLayers(talk("s1", "c1", "I saw the doctor."))
	for i := range 1200 {
		b.Facts = append(b.Facts, fact(privacy.FactID(fmt.Sprintf("f%04d", i)), fmt.Sprintf("Mia saw doctor %d.", i), "s1"))
	}
	apply(t, s, b)
	path := s.Path()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	opts := options()
	opts.Embedder = lengthEmbedder{}
	if _, err := memory.Open(ctx, path, opts); !errors.Is(err, memory.ErrModelMismatch) {
		t.Fatalf("another model: %v", err)
	}
	opts.Reindexing = true
	s = open(t, path, opts)
	if _, err := s.Apply(ctx, memory.Batch{Facts: []memory.Fact{fact("new", "x", "")}}); !errors.Is(err, memory.ErrModelMismatch) {
		t.Errorf("writing vectors of another model: %v", err)
	}
	r := newRecaller(t, s, memory.RecallOptions{})
	if hits, err := r.Facts(ctx, memory.Query{Text: "doctor 7", K: 1}); err != nil || len(hits) != 1 || hits[0].Fact != "f0007" || hits[0].Cosine != 0 {
		t.Errorf("by words alone, before: %+v, %v", hits, err)
	}
	old := open(t, path, memory.Options{})
	var steps []int
	if err := s.Reindex(ctx, lengthEmbedder{}, func(done, total int) {
		steps = append(steps, done)
		if total != 1201 {
			t.Errorf("total %d, want 1201", total)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if !slices.IsSorted(steps) || len(steps) < 3 || steps[len(steps)-1] != 1201 {
		t.Errorf("progress %v", steps)
	}
	if hits, err := r.Facts(ctx, memory.Query{Text: "doctor 7", K: 1}); err != nil || len(hits) != 1 || hits[0].Cosine == 0 {
		t.Errorf("with the new vectors: %+v, %v", hits, err)
	}
	if _, err := old.Apply(ctx, memory.Batch{Facts: []memory.Fact{fact("new", "x", "")}}); !errors.Is(err, memory.ErrModelMismatch) {
		t.Errorf("a process that still has the old model: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	opts.Reindexing = false
	open(t, path, opts)
}

// lengthEmbedder is a dense model of four dimensions.
type lengthEmbedder struct{}

func (lengthEmbedder) Model() string   { return "length" }
func (lengthEmbedder) Dimensions() int { return 4 }
func (lengthEmbedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = []float32{1, float32(len(text)), float32(len(text) % 7), 2}
	}
	return out, nil
}

// badEmbedder gives what no index should take.
type badEmbedder struct {
	memory.HashEmbedder
	give func(n int) [][]float32
}

func (b badEmbedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	return b.give(len(texts)), nil
}

func TestUnfitVectorsAreRefused(t *testing.T) {
	long := make([]float32, 256)
	long[3] = 1
	nan := slices.Clone(long)
	nan[4] = float32(nanValue())
	for name, give := range map[string]func(n int) [][]float32{
		"none":         func(int) [][]float32 { return nil },
		"too short":    func(n int) [][]float32 { return slices.Repeat([][]float32{{1}}, n) },
		"not a number": func(n int) [][]float32 { return slices.Repeat([][]float32{nan}, n) },
	} {
		opts := options()
		opts.Embedder = badEmbedder{give: give}
		s := open(t, filepath.Join(t.TempDir(), memory.FileName), opts)
		if _, err := s.Apply(t.Context(), memory.Batch{Facts: []memory.Fact{fact("f", "x", "")}}); !errors.Is(err, memory.ErrVector) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := newRecaller(t, s, memory.RecallOptions{}).Facts(t.Context(), memory.Query{Text: "x"}); !errors.Is(err, memory.ErrVector) {
			t.Errorf("a question, %s: %v", name, err)
		}
	}
}

func nanValue() float64 { zero := 0.0; return zero / zero }

func TestHashEmbedder(t *testing.T) {
	ctx := t.Context()
	texts := []string{"Mia saw a doctor", "doctor saw Mia a", "", "the of", "我搬到了北京"}
	got, err := memory.HashEmbedder{}.Embed(ctx, texts)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got[0], got[1]) {
		t.Error("the order of the words changes the vector")
	}
	for i, v := range got {
		var sum float64
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		want := 1.0
		if i == 2 || i == 3 {
			want = 0
		}
		if len(v) != 256 || sum < want-1e-5 || sum > want+1e-5 {
			t.Errorf("%q: %d dimensions, square %v, want %v", texts[i], len(v), sum, want)
		}
	}
	cancelled, cancel := context.WithTimeout(ctx, -time.Second)
	defer cancel()
	if _, err := (memory.HashEmbedder{}).Embed(cancelled, texts); err == nil {
		t.Error("a cancelled context is ignored")
	}
}

// denseEmbedder is a stand-in for a real model: every pair of texts has some
// nearness, words or not.
type denseEmbedder struct{}

func (denseEmbedder) Model() string   { return "dense" }
func (denseEmbedder) Dimensions() int { return 6 }
func (denseEmbedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		v := []float32{1, 1, 1, 1, 1, 1}
		for j, c := range []byte(text) {
			v[j%6] += float32(c%32) / 8
		}
		out[i] = v
	}
	return out, nil
}

// With a dense model and more facts than are looked at closely, the k best are
// still the first k of all, for both views.
func TestRecallIsExact(t *testing.T) {
	ctx := t.Context()
	opts := options()
	opts.Embedder = denseEmbedder{}
	s := open(t, filepath.Join(t.TempDir(), memory.FileName), opts)
	var b memory.Batch
	for i := range 600 {
		text := vocabulary[i%len(vocabulary)] + " " + vocabulary[i/7%len(vocabulary)] + fmt.Sprint(" ", i%50)
		b.Facts = append(b.Facts, fact(privacy.FactID(fmt.Sprintf("f%03d", i)), text, ""))
	}
	apply(t, s, b)
	r := newRecaller(t, s, memory.RecallOptions{Host: fakeHost{hits: []memory.NativeHit{{Entry: "e", Session: "", Score: 1}}}})
	for _, question := range []string{"apple", "choir 北京 offer", "nothing of the kind", "secret 7 doctor"} {
		for view, keep := range map[string]func(privacy.FactID) bool{"owner": nil, "recipient": func(id privacy.FactID) bool { return id[3]%3 != 0 }} {
			all, err := r.Facts(ctx, memory.Query{Text: question, Keep: keep})
			if err != nil || len(all) < 300 {
				t.Fatalf("%s as %s: %d hits, %v", question, view, len(all), err)
			}
			for _, k := range []int{1, 3, 10, 100} {
				got, err := r.Facts(ctx, memory.Query{Text: question, K: k, Keep: keep})
				if diff := cmp.Diff(all[:k], got); err != nil || diff != "" {
					t.Fatalf("%s as %s, k = %d: %v (-first of all +got):\n%s", question, view, k, err, diff)
				}
			}
		}
	}
}
