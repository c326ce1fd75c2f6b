package ingest_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"

	"github.com/epagent/epagent/memory/ingest"
)

// Whatever ends its lines and however it is encoded, a text reads the same.
func TestTextsOfOtherSystems(t *testing.T) {
	for format, text := range map[string]string{
		"whatsapp": "03.04.24, 21:15 - Greta: I am pregnant\n03.04.24, 21:16 - Ines: I quit my job\nand more\n03.04.24, 21:17 - Greta: Ünglaublich\n",
		"line":     "[LINE] Chat history with Yuki\nSaved on: 2024/04/05, 10:00\n\n2024/04/03(Wed)\n21:15\tYuki\tI moved to Ghent\n21:16\tInes\tgood\n",
		"plain":    "[2024-04-03 21:15] Greta: I moved to Ghent\n[2024-04-03 21:16] Ines: 好的\n[2024-04-03 21:17] Greta: yes\n",
		"wechat":   "\"2024-04-03 21:15:33\" 'Greta'\nI moved to Ghent\n\n\"2024-04-03 21:16:00\" 'Ines'\ngood\n",
	} {
		t.Run(format, func(t *testing.T) {
			want := read(t, text, ingest.Options{})
			if len(want.Messages) < 2 {
				t.Fatalf("only %q", show(want))
			}
			utf16 := func(order unicode.Endianness) string {
				out, err := unicode.UTF16(order, unicode.UseBOM).NewEncoder().String(text)
				if err != nil {
					t.Fatal(err)
				}
				return out
			}
			for name, other := range map[string]string{
				"CR":       strings.ReplaceAll(text, "\n", "\r"),
				"CRLF":     strings.ReplaceAll(text, "\n", "\r\n"),
				"mixed":    strings.Replace(strings.Replace(text, "\n", "\r\n", 1), "\n21", "\r21", 1),
				"UTF-16LE": utf16(unicode.LittleEndian),
				"UTF-16BE": utf16(unicode.BigEndian),
				"UTF-8":    "\ufeff" + text,
			} {
				got := read(t, other, ingest.Options{})
				if got.Format != want.Format || !slices.Equal(show(got), show(want)) {
					t.Errorf("%s: %s %q, want %s %q", name, got.Format, show(got), want.Format, show(want))
				}
			}
		})
	}
}
