package memory_test

import (
	"testing"

	"github.com/epagent/epagent/memory"
)

// Reactions, courtesies, plans of the talk and orders make no fact.
func TestExtractNoChatter(t *testing.T) {
	for _, say := range []string{
		"that's lovely", "it was so funny", "poor you", "can't wait!", "I can't wait", "that is so sad", "you're a hero",
		"call you later", "I'll call you later", "see you at eight", "sending the pictures now", "I'll send you the link",
		"wear boots", "remind me", "give me a minute", "keep going", "I'm so happy for you", "you always say that", "nobody good ever is",
		"I don't know what to say", "I saw it", "they liked you", "my lips are sealed", "got it, thank you!", "I have news",
		"I liked the people", "we'll see", "that makes sense",
		"太好了", "太好了！！真厉害", "辛苦你了", "你别怕", "记得带外套", "有结果马上告诉我", "你先低头吧", "我知道了", "没问题，放心吧", "恭喜恭喜", "多谢你",
	} {
		if got := extract(t, dialogue("Bo", memory.Turn{Text: say}), memory.ExtractOptions{Owner: "Ines", OwnerKnown: true}); len(got) > 0 {
			t.Errorf("%q: %q", say, got[0].Text)
		}
	}
}

// Short ones that tell an event or a state do.
func TestExtractShortFacts(t *testing.T) {
	for _, tt := range []struct{ say, want string }{
		{"I'm gay", "Ines is gay."},
		{"I resigned", "Ines resigned."},
		{"I have cancer", "Ines has cancer."},
		{"my dad died", "Ines's dad died."},
		{"I rang the lawyer", "Ines rang the lawyer."},
		{"I want a divorce", "Ines wants a divorce."},
		{"see you in Lindum on Friday for the opera", "Ines will see Bo in Lindum on 13 March 2026 for the opera."},
		{"so I'm shutting it. 31 December is the last bake", "Ines is shutting it. 31 December 2026 is the last bake."},
		{"我被裁了", "Ines 被裁了。"},
		{"我辞职了", "Ines 辞职了。"},
	} {
		got := extract(t, dialogue("Bo", memory.Turn{Text: tt.say}), memory.ExtractOptions{Owner: "Ines", OwnerKnown: true})
		if len(got) != 1 || got[0].Text != tt.want {
			t.Errorf("%q: %+v, want %q", tt.say, got, tt.want)
		}
	}
}
