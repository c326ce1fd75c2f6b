package ingest_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/epagent/epagent/memory/ingest"
)

// talkOf is a chat in which each of the texts is said.
func talkOf(names [2]string, texts ...string) string {
	var out strings.Builder
	for i, text := range texts {
		out.WriteString("03.04.24, 21:15 - " + names[i%2] + ": " + text + "\n")
	}
	return out.String()
}

// Texts without a mark are read where their characters tell the encoding, and the
// report says which; all others are refused with the line.
func TestCharsets(t *testing.T) {
	german := talkOf([2]string{"Jörg", "Änne"}, "schöne Grüße aus Köln", "weiß nicht", "ok – bis später", "für Fuß und Gefäß")
	french := talkOf([2]string{"Zoé", "Léa"}, "ça va ? à bientôt", "déjà vu, c’est naïf", "l’œuvre coûte 5 €", "où êtes-vous")
	portuguese := talkOf([2]string{"João", "Inês"}, "amanhã não posso", "as razões são boas", "você é ótimo", "até já")
	chinese := talkOf([2]string{"王伟", "李娜"}, "我搬到上海了", "太好了，什么时候", "昨天", "好的，明天见")
	russian := talkOf([2]string{"Анна", "Пётр"}, "я переехала в Москву", "когда же", "вчера", "хорошо")
	utf16 := func(e unicode.Endianness) encoding.Encoding { return unicode.UTF16(e, unicode.IgnoreBOM) }
	tests := []struct {
		name, text string
		in         encoding.Encoding
		taken      string // "" refused
	}{
		{"German Latin-1", strings.ReplaceAll(german, "–", "-"), charmap.ISO8859_1, "Windows-1252"}, {"German Windows", german, charmap.Windows1252, "Windows-1252"},
		{"French", french, charmap.Windows1252, "Windows-1252"}, {"Portuguese", portuguese, charmap.Windows1252, "Windows-1252"},
		{"German UTF-16LE", german, utf16(unicode.LittleEndian), "UTF-16LE"}, {"Chinese UTF-16LE", chinese, utf16(unicode.LittleEndian), "UTF-16LE"}, {"Russian UTF-16BE", russian, utf16(unicode.BigEndian), "UTF-16BE"},
		{"GB18030", chinese, simplifiedchinese.GB18030, ""}, {"KOI8-R", russian, charmap.KOI8R, ""}, {"Windows-1251", russian, charmap.Windows1251, ""},
		{"Polish", talkOf([2]string{"Łucja", "Zośka"}, "jestem w ciąży", "świetnie, gratuluję", "dziękuję", "żółć"), charmap.Windows1250, ""},
		{"Hungarian", talkOf([2]string{"Győző", "Réka"}, "jövő hétfőn költözöm", "jó", "hűha", "igen"), charmap.Windows1250, ""},
		{"Czech", talkOf([2]string{"Jiří", "Věra"}, "přestěhoval jsem se", "kdy že", "včera", "dobře"), charmap.Windows1250, ""},
		{"Turkish", talkOf([2]string{"Işıl", "Çağla"}, "İzmir'e taşındım", "ne zaman", "dün", "güzel değil mi"), charmap.Windows1254, ""},
		{"Shift JIS", talkOf([2]string{"花子", "太郎"}, "引っ越しました", "いつですか", "昨日", "カタカナ"), japanese.ShiftJIS, ""},
		{"EUC-KR", talkOf([2]string{"민수", "지영"}, "이사했어요", "언제요", "어제", "네"), korean.EUCKR, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			raw, err := tt.in.NewEncoder().String(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			path := write(t, "x.txt", raw)
			got, err := ingest.Read(t.Context(), path, ingest.Options{})
			if tt.taken == "" {
				if !errors.Is(err, ingest.ErrEncoding) || !strings.Contains(err.Error(), "line 1") {
					t.Errorf("%v, %q", err, shown(got))
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if want := read(t, tt.text, ingest.Options{}); !slices.Equal(show(got), show(want)) {
				t.Errorf("%q, want %q", show(got), show(want))
			}
			if !slices.ContainsFunc(got.Warnings, func(w string) bool {
				return strings.HasPrefix(w, "encoding_taken: ") && strings.Contains(w, tt.taken)
			}) {
				t.Errorf("no word of %s in %q", tt.taken, got.Warnings)
			}
		})
	}
	// What is found only later is refused with its place.
	late, err := charmap.Windows1250.NewEncoder().String(strings.Repeat(german, 1500) + "03.04.24, 21:15 - Jörg: ł\n")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ingest.Read(t.Context(), write(t, "x.txt", late), ingest.Options{}); !errors.Is(err, ingest.ErrEncoding) || !strings.Contains(err.Error(), "line ") {
		t.Error(err)
	}
}

// What somebody says of a text holds where the text says nothing else.
func TestGivenEncoding(t *testing.T) {
	chinese := talkOf([2]string{"王伟", "李娜"}, "我搬到上海了", "太好了，什么时候", "昨天", "好的，明天见")
	long := talkOf([2]string{"Ana", "Bo"}, strings.Repeat("ok ", 4000)) + chinese
	for _, tt := range []struct {
		name, given, text string
		in                encoding.Encoding // nil: UTF-8
		bad               bool
	}{
		{"GB18030", "GB18030", chinese, simplifiedchinese.GB18030, false},
		{"GBK", "gbk", chinese, simplifiedchinese.GBK, false},
		{"half a character where the first look ends", "gb2312", strings.Repeat(chinese, 400), simplifiedchinese.GB18030, false},
		{"nothing but ASCII at first", "gb18030", long, simplifiedchinese.GB18030, false},
		{"Shift JIS", "shift_jis", talkOf([2]string{"花子", "太郎"}, "引っ越しました", "いつですか", "昨日", "カタカナ"), japanese.ShiftJIS, false},
		{"EUC-KR", "euc-kr", talkOf([2]string{"민수", "지영"}, "이사했어요", "언제요", "어제", "네"), korean.EUCKR, false},
		{"Polish", "windows-1250", talkOf([2]string{"Łucja", "Zośka"}, "jestem w ciąży", "świetnie"), charmap.Windows1250, false},
		{"UTF-16", "utf-16le", chinese, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), false},
		{"it is UTF-8", "gb18030", chinese, nil, false},
		{"another one", "euc-kr", chinese, simplifiedchinese.GB18030, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			raw := tt.text
			if tt.in != nil {
				var err error
				if raw, err = tt.in.NewEncoder().String(tt.text); err != nil {
					t.Fatal(err)
				}
			}
			got, err := ingest.Read(t.Context(), write(t, "x.txt", raw), ingest.Options{Encoding: tt.given})
			if tt.bad {
				if !errors.Is(err, ingest.ErrEncoding) {
					t.Errorf("%v, %q", err, shown(got))
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if want := read(t, tt.text, ingest.Options{}); !slices.Equal(show(got), show(want)) {
				t.Errorf("%q, want %q", show(got), show(want))
			}
		})
	}
	for _, name := range []string{"klingon", "replacement", "iso-2022-kr"} {
		if _, err := ingest.Read(t.Context(), write(t, "x.txt", chinese), ingest.Options{Encoding: name}); !errors.Is(err, ingest.ErrOptions) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func shown(e *ingest.Export) []string {
	if e == nil {
		return nil
	}
	return show(e)
}

// A date in a calendar that isn't known is kept as it stands.
func TestOtherCalendars(t *testing.T) {
	e := read(t, "۱۴۰۳/۰۱/۱۵، ۲۱:۰۵ - آنا: سلام\n۱۴۰۳/۰۱/۱۵، ۲۱:۰۶ - بو: خوبی\n", ingest.Options{})
	if len(e.Messages) != 2 || e.Messages[0].When.Local != "" || e.Messages[0].TimeText != "۱۴۰۳/۰۱/۱۵، ۲۱:۰۵" || e.Messages[0].Sender != "آنا" {
		t.Errorf("%+v", e.Messages)
	}
}
