package prompts

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
)

// dataMessage puts what a stage works on between two marker lines. It is JSON on one
// line with every angle bracket escaped, so no marker can occur in it; the tag is
// made from the data, so equal inputs make equal requests and nobody who writes a
// text can know it beforehand.
func dataMessage(in any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(true) // what makes the markers unforgeable
	if err := enc.Encode(in); err != nil {
		return "", fmt.Errorf("write the data of a stage: %w", err)
	}
	data := bytes.TrimSpace(b.Bytes())
	tag := dataTag(data)
	return "<<<DATA " + tag + ">>>\n" + string(data) + "\n<<<END " + tag + ">>>", nil
}

func dataTag(data []byte) string {
	for n := 0; ; n++ {
		sum := sha256.Sum256(strconv.AppendInt(bytes.Clone(data), int64(n), 10))
		if tag := hex.EncodeToString(sum[:8]); !bytes.Contains(data, []byte(tag)) {
			return tag
		}
	}
}
