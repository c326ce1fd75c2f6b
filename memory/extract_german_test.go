package memory_test

import (
	"strings"
	"testing"
)

// German times are those of when it was said: here Wednesday 11 March 2026.
func TestExtractGermanTimes(t *testing.T) {
	tests := []struct{ say, want, when string }{
		{"Ich war gestern mit Bo beim Zahnarzt in Lindum", "gestern (10.3.2026)", "2026-03-10"},
		{"Ich war vorgestern Abend mit Bo im Theater in Lindum", "vorgestern (9.3.2026)", "2026-03-09"},
		{"Ich fahre übermorgen mit Bo nach Lindum ans Meer", "übermorgen (13.3.2026)", "2026-03-13"},
		{"Ich war letzten Montag mit Bo beim Zahnarzt", "letzten Montag (9.3.2026)", "2026-03-09"},
		{"Ich war letzten Mittwoch mit Bo beim Zahnarzt", "letzten Mittwoch (4.3.2026)", "2026-03-04"},
		{"Nächsten Freitag beginnt meine Prüfung in Lindum mit Bo", "Nächsten Freitag (20.3.2026)", "2026-03-20"},
		{"Diesen Freitag beginnt meine Prüfung in Lindum mit Bo", "Diesen Freitag (13.3.2026)", "2026-03-13"},
		{"Vor drei Tagen bin ich mit Bo nach Lindum umgezogen", "Tagen (8.3.2026)", "2026-03-08"},
		{"In zwei Wochen beginnt meine neue Stelle bei Lindum", "Wochen (um den 25.3.2026)", "2026-03-25"},
		{"Letzte Woche hat Bo meine Wohnung in Lindum gekündigt", "Letzte Woche (ab 2.3.2026)", "2026-03-02"},
		{"Nächste Woche ziehe ich mit Bo nach Lindum um", "Nächste Woche (ab 16.3.2026)", "2026-03-16"},
		{"Nächsten Monat ziehe ich mit Bo nach Lindum um", "Nächsten Monat (4.2026)", "2026-04-01"},
		{"Vor einem Jahr habe ich Bo in Lindum kennengelernt", "Jahr (2025)", "2025-01-01"},
		{"Kommendes Wochenende besuche ich Bo und Karin in Lindum", "Kommendes Wochenende (21.3.2026)", "2026-03-21"},
		// What is no day.
		{"Jeden Morgen laufe ich mit Bo durch den Park in Lindum", "Jeden Morgen laufe", ""},
		{"Heute Morgen bin ich mit Bo durch den Park gelaufen", "Heute (11.3.2026) Morgen", "2026-03-11"},
		{"Jeden Montag laufe ich mit Bo durch den Park in Lindum", "Jeden Montag laufe", ""},
		{"Vor dem Park wartete Bo mit Karin auf den Bus", "Vor dem Park", ""},
	}
	for _, tt := range tests {
		t.Run(tt.say, func(t *testing.T) {
			texts, when := saidOn(t, "2026-03-11", "Tomas", tt.say+", und das ist sehr gut so für mich und meine Familie.")
			if len(texts) != 1 || !strings.Contains(texts[0], tt.want) || when[0] != tt.when {
				t.Errorf("%q at %q, want %q at %q", texts, when, tt.want, tt.when)
			}
		})
	}
}
