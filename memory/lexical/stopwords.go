package lexical

import "strings"

// stopWords are left out of [Terms]: English and German words that carry grammar
// and no matter. Question words stay out too; what a question asks for is read
// from its text, not from its terms.
var stopWords = set(`
a about above after again against all also am an and any are aren't as at be
because been before being below between both but by can can't cannot could
couldn't did didn't do does doesn't doing don't down during each even ever few
for from further get gets getting go goes going gonna got had hadn't has hasn't
have haven't having he he'd he'll he's her here hers herself him himself his how
i i'd i'll i'm i've if in into is isn't it it's its itself just let let's like
lot many may me might mine more most much must mustn't my myself no nor not now
of off oh ok okay on once one only or other our ours ourselves out over own
please quite really said same say says shall she she'd she'll she's should
shouldn't so some something still such than that that'd that'll that's the their
theirs them themselves then there there's these they they'd they'll they're
they've thing things this those though through to too under until up upon us
very want wants was wasn't we we'd we'll we're we've well were weren't what
what's when when's where where's which while who who's whom whose why why's will
with won't would wouldn't yeah yes yet you you'd you'll you're you've your yours
yourself yourselves
tell tells told know knows ask asks asking anything everything
aber alle als also am an auch auf aus bei bin bis bist da dann das dass dein
deine dem den der des die dir doch du durch ein eine einem einen einer eines er
es euch euer fur hab habe haben hat hatte ich ihm ihn ihr ihre im in ist ja kann
kein keine mal man mehr mein meine mich mir mit nach nicht noch nur oder ohne
schon sehr sein seine sich sie sind so und uns unser vom von vor war waren warum
was wenn wer wie wieder wir wird wo wohl zu zum zur
`)

// stopRunes cut a run of Chinese characters: particles and pronouns.
var stopRunes = runes("的了吗呢吧啊呀嘛哦喔噢哈嗯么着得地我你您他她它们这那就也都还又和与或是在")

func set(words string) map[string]bool {
	m := make(map[string]bool)
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

func runes(s string) map[rune]bool {
	m := make(map[rune]bool)
	for _, r := range s {
		m[r] = true
	}
	return m
}
