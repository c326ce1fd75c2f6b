package ingest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory/ingest"
)

// What is copied from an office's chat is a chat, whatever its directory calls
// people; it is never the owner's notes.
func TestCopiedChats(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"stamp first, no year", "[4/3 9:15 PM] Vogel, Karin\nHello there\n[4/3 9:16 PM] Falk, Ines\nHi: yes\n",
			[]string{"Vogel, Karin||Hello there", "Falk, Ines||Hi: yes"}},
		{"given name first", "[4/3 9:15 PM] Karin Vogel\nHello there\n[4/3 9:16 PM] Ines Falk\nHi\n",
			[]string{"Karin Vogel||Hello there", "Ines Falk||Hi"}},
		{"stamp first", "[2024-04-03 21:15] Vogel, Karin\nHello there\nand more\n[2024-04-03 21:16] Falk, Ines\nHi\n",
			[]string{"Vogel, Karin|2024-04-03T21:15:00|Hello there⏎and more", "Falk, Ines|2024-04-03T21:16:00|Hi"}},
		{"stamp behind", "Vogel, Karin 4/13/2024 9:15 PM\nHello there\nFalk, Ines 4/13/2024 9:16 PM\nHi\n",
			[]string{"Vogel, Karin|2024-04-13T21:15:00|Hello there", "Falk, Ines|2024-04-13T21:16:00|Hi"}},
		{"on one line", "[2024-04-03 21:15] Vogel, Karin: Hello there\n[2024-04-03 21:16] Falk, Ines: Hi\n",
			[]string{"Vogel, Karin|2024-04-03T21:15:00|Hello there", "Falk, Ines|2024-04-03T21:16:00|Hi"}},
		{"no time", "Vogel, Karin: Hello there\nFalk, Ines: Hi\nVogel, Karin: Bye\nFalk, Ines: Bye\n",
			[]string{"Vogel, Karin||Hello there", "Falk, Ines||Hi", "Vogel, Karin||Bye", "Falk, Ines||Bye"}},
		{"a notice without words", "[2024-04-03 21:15] Karin: Hello\n[2024-04-03 21:16] Lunch Break\n[2024-04-03 21:17] Ines: Hi\n",
			[]string{"Karin|2024-04-03T21:15:00|Hello", "-|2024-04-03T21:16:00|Lunch Break", "Ines|2024-04-03T21:17:00|Hi"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, show(read(t, tt.text, ingest.Options{}))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	for _, text := range []string{
		"Vogel, Karin (Sales, Bonn) 4/3 9:15 PM\nI moved to Oslo.\nFalk, Ines (Ghent, BE) 4/3 9:16 PM\nGood luck.\n",
		"[Wed 4/3 9:15 PM] Vogel, Karin\nI moved to Oslo.\n[Wed 4/3 9:16 PM] Falk, Ines\nGood luck.\n",
	} {
		if e, err := ingest.Read(t.Context(), write(t, "x.txt", text), ingest.Options{}); err == nil && e.Format == "notes" {
			t.Errorf("%q was read as notes", text)
		}
	}
}

// A message at a time that can't be read is its own speaker's, or nobody's.
func TestUnreadableStamps(t *testing.T) {
	for name, tt := range map[string]struct {
		text    string
		want    []string
		skipped bool
	}{
		"whatsapp": {"03.04.24, 21:15 - Greta: a\n03.04.24 post, 21:16 q - Ines: I quit\nmore\n03.04.24, 21:17 - Ines: c\n",
			[]string{"Greta|2024-04-03T21:15:00|a", "Ines||I quit⏎more", "Ines|2024-04-03T21:17:00|c"}, false},
		"a stranger": {"03.04.24, 21:15 - Greta: a\n03.04.24 post, 21:16 q - Bo: I quit\nmore\n03.04.24, 21:17 - Ines: c\n",
			[]string{"Greta|2024-04-03T21:15:00|a", "Ines|2024-04-03T21:17:00|c"}, true},
		"plain": {"[2024-04-03 21:15] Greta: a\n[2024-04-03 21:76] Ines: I quit\nmore\n[2024-04-03 21:17] Ines: c\n",
			[]string{"Greta|2024-04-03T21:15:00|a", "Ines||I quit⏎more", "Ines|2024-04-03T21:17:00|c"}, false},
		"plain stranger": {"[2024-04-03 21:15] Greta: a\n[2024-04-03 21:76] Bo: I quit\nmore\n[2024-04-03 21:17] Ines: c\n",
			[]string{"Greta|2024-04-03T21:15:00|a", "Ines|2024-04-03T21:17:00|c"}, true},
		"line": {"[LINE] Chat history with Ines\n2024/04/03(Wed)\n21:15\tGreta\ta\n2I.16\tInes\tI quit\nmore\n21:17\tInes\tc\n",
			[]string{"Greta|2024-04-03T21:15:00|a", "Ines||I quit⏎more", "Ines|2024-04-03T21:17:00|c"}, false},
		"line hour": {"[LINE] Chat history with Ines\n2024/04/03(Wed)\n21:15\tGreta\ta\n31:16\tInes\tI quit\n21:17\tInes\tc\n",
			[]string{"Greta|2024-04-03T21:15:00|a", "Ines||I quit", "Ines|2024-04-03T21:17:00|c"}, false},
		"signal": {"[2024-04-03 21:15:00] Greta: a  \n[2024-04-43 21:16:00] Ines: I quit  \nmore\n[2024-04-03 21:17:00] Ines: c  \n",
			[]string{"Greta|2024-04-03T21:15:00|a", "Ines||I quit⏎more", "Ines|2024-04-03T21:17:00|c"}, false},
		"signal stranger": {"[2024-04-03 21:15:00] Greta: a  \n[04/03/2024, 9:16 PM] Bo: I quit  \nmore\n[2024-04-03 21:17:00] Ines: c  \n",
			[]string{"Greta|2024-04-03T21:15:00|a", "Ines|2024-04-03T21:17:00|c"}, true},
		"imessage": {"Apr 03, 2024  9:15:00 PM\nGreta\na\n\nApr 43, 2024  9:16:00 PM\nInes\nI quit\nmore\n\nApr 03, 2024  9:17:00 PM\nInes\nc\n\n",
			[]string{"Greta|2024-04-03T21:15:00|a", "Ines||I quit⏎more", "Ines|2024-04-03T21:17:00|c"}, false},
		"imessage in words": {"Apr 03, 2024  9:15:00 PM\nGreta\nIt was on\n\n3 April 2024 21:16\n\nI think\n\nApr 03, 2024  9:17:00 PM\nInes\nc\n\n",
			[]string{"Greta|2024-04-03T21:15:00|It was on⏎⏎3 April 2024 21:16⏎⏎I think", "Ines|2024-04-03T21:17:00|c"}, false},
		"wechat": {"2024-04-03 21:15:00 小李\na\n\n2024-04-43 21:16:00 阿明\nI quit\n\n2024-04-03 21:17:00 阿明\nc\n",
			[]string{"小李|2024-04-03T21:15:00|a", "阿明||I quit", "阿明|2024-04-03T21:17:00|c"}, false},
		"wechat me": {"2024-04-03 21:15:00 小李\na\n\n2024/04/03 21:16 我\nI quit\n\n2024-04-03 21:17:00 小李\nc\n",
			[]string{"小李|2024-04-03T21:15:00|a", "我*||I quit", "小李|2024-04-03T21:17:00|c"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			e := read(t, tt.text, ingest.Options{})
			if diff := cmp.Diff(tt.want, show(e)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if tt.skipped != (len(e.Skipped) == 1 && e.Skipped[0].Line == 2 && strings.Contains(e.Skipped[0].Reason, "time")) {
				t.Errorf("skipped %v", e.Skipped)
			}
		})
	}
}
