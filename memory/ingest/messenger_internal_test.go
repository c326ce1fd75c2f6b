package ingest

import "testing"

// What people write to each other may begin as a notice does.
func TestMessengerNoticesEnd(t *testing.T) {
	for text, notice := range map[string]bool{
		"You left the group.": true, "You named the group Fun.": true, "You called Bo Lind.": true, "You set the nickname for Bo Lind to Lulu.": true,
		"You left the group chat because of me?": false, "You left the group and I was sad": false, "You sent an attachment yesterday": false,
		"You changed the theme of the party to pirates": false, "You pinned a message, why?": false, "You called Bo yesterday.": false,
		"You added Tom to the group, thanks for that": false, "You turned off vanish mode?": false, "You created a poll yesterday, where is it?": false,
	} {
		if got := messengerNotice("Bo Lind", text); got != notice {
			t.Errorf("%q: a notice %v, want %v", text, got, notice)
		}
	}
}
