package ingest

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clocks of twelve hours bear a word for the part of the day: "PM", "下午", "e pasdites",
// "शाम". It says in which hours it may be said, and thereby which of the two that the
// number may mean is meant.

// dayPart is the hours, on a clock of 24, at which a word is said: from one to the other,
// both among them, over midnight where the first is later.
type dayPart struct{ from, to int }

// nearHours is the longest way, in hours, from a word's own hours to one that it may still
// name: "中午" is said of ten as well as of twelve.
const nearHours = 2

// hour is which hour of 24 a clock shows with such a word beside it. It reports false where
// the word fits neither half of the day. A number above twelve is of a clock of 24.
func (p dayPart) hour(h int) (int, bool) {
	if h > 12 {
		return h, h < 24
	}
	first, second := h%12, h%12+12
	switch a, b := p.away(first), p.away(second); {
	case min(a, b) > nearHours || a == b:
		return 0, false
	case a < b:
		return first, true
	default:
		return second, true
	}
}

// away is how many hours lie between h and the hours of p.
func (p dayPart) away(h int) int {
	before, after, length := (p.from-h+24)%24, (h-p.to+24)%24, (p.to-p.from+24)%24
	if (h-p.from+24)%24 <= length {
		return 0
	}
	return min(before, after)
}

// in puts the hour of a clock of twelve into its part of the day.
func (c clock) in(p dayPart) (clock, bool) {
	h, ok := p.hour(c.h)
	if ok {
		c.h = h
	}
	return c, ok
}

// dayPartKey is a word without case, dots, blanks and the marks that phones put in or leave
// out.
func dayPartKey(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case shortens(r), r == '.' || r == '\'' || r == '’' || r == '-' || r == 0x61c || r == 0x200b || r == 0x200c || r == 0x200d || unicode.IsSpace(r) || isBidi(r):
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// shortens reports whether r stands in a shortened Hebrew word, before its last letter or
// behind it, also as it is typed.
func shortens(r rune) bool { return r == '״' || r == '׳' || r == '"' }

// isHebrew reports whether s begins with a Hebrew letter.
func isHebrew(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.Is(unicode.Hebrew, r)
}

// dayParts are the words by dayPartKey. Of a word that two languages have, the first counts.
var dayParts = func() map[string]dayPart {
	out := map[string]dayPart{}
	for _, line := range dayPartWords {
		for entry := range strings.FieldsSeq(line) {
			word, hours, _ := strings.Cut(entry, "=")
			from, to, _ := strings.Cut(hours, "-")
			key := dayPartKey(strings.ReplaceAll(word, "_", ""))
			if _, ok := out[key]; !ok {
				out[key] = dayPart{from: atoi(from), to: atoi(to)}
			}
		}
	}
	return out
}()

// dayPartWords are, by language, the words and the hours at which they are said, as the
// Unicode Common Locale Data Repository has them (formats "a" and "B"); a blank in a word
// is "_". Languages that more phones speak come first.
var dayPartWords = []string{
	"am=0-11 pm=12-23 in_the_morning=0-11 in_the_afternoon=12-17 in_the_evening=18-20 at_night=21-23", // en
	"de_la_madrugada=0-5 de_la_mañana=6-11 de_la_tarde=12-19 de_la_noche=20-23",                       // es
	"da_madrugada=0-5 da_noite=19-23", // pt
	"matin=0-11 du_matin=0-11 après-midi=12-17 de_l’après-midi=12-17 soir=18-23 du_soir=18-23",                                                              // fr
	"vorm=0-11 nachm=12-23 nachts=0-4 morgens=5-9 vormittags=10-11 mittags=12-12 nachmittags=13-17 abends=18-23",                                            // de
	"di_notte=0-5 di_mattina=6-11 di_pomeriggio=12-17 del_pomeriggio=12-17 di_sera=18-23",                                                                   // it
	"’s_nachts=0-5 ’s_ochtends=6-11 ’s_middags=12-17 ’s_avonds=18-23",                                                                                       // nl
	"ночи=22-3 утра=4-11 дня=12-17 вечера=18-21",                                                                                                            // ru
	"дп=0-11 пп=12-23 ночі=0-3 ранку=4-11 вечора=18-23",                                                                                                     // uk
	"w_nocy=21-5 rano=6-9 przed_południem=10-11 po_południu=12-17 wieczorem=18-20",                                                                          // pl
	"dop=0-11 odp=12-23 v_n=22-3 v_noci=22-3 ráno=4-8 dopoledne=9-11 odpoledne=12-17 več=18-21 večer=18-21",                                                 // cs
	"dopol=9-11 dopoludnia=9-11 popol=12-17 popoludní=12-17",                                                                                                // sk
	"de=0-11 du=12-23 éjjel=21-3 hajnal=4-5 reggel=6-8 délelőtt=9-11 délután=12-17 este=18-20",                                                              // hu
	"noaptea=22-4 dimineața=5-11 după-amiaza=12-17 seara=18-21",                                                                                             // ro
	"пр.об=0-11 сл.об=12-23 през_нощта=22-3 сутринта=4-10 на_обяд=11-13 следобед=14-17 вечерта=18-21",                                                       // bg
	"poslijepodne=12-23 noću=21-3 ujutro=4-11 navečer=18-20",                                                                                                // hr
	"пре_подне=0-11 по_подне=12-23 ноћу=21-5 ујутру=6-11 увече=18-20",                                                                                       // sr
	"pre_podne=0-11 ujutru=6-11 uveče=18-20",                                                                                                                // sr-Latn
	"prijepodne=0-11 popodne=12-23 po_noći=21-3",                                                                                                            // bs
	"pop=12-23 ponoči=22-5 zjut=6-9 zjutraj=6-9 dopoldan=10-11 popoldan=12-17 zveč=18-21 zvečer=18-21",                                                      // sl
	"претпл=0-11 попл=12-23 претпладне=0-11 попладне=12-23 ноќе=0-3 наутро=4-9 навечер=18-23",                                                               // mk
	"e_paradites=0-11 e_pasdites=12-23 paradite=0-11 pasdite=12-23 e_natës=0-3 p.d=0-11 e_mëngjesit=4-8 m.d=12-23 e_mbrëmjes=18-23",                         // sq
	"π.μ=0-11 μ.μ=12-23 βράδυ=20-3 το_βράδυ=20-3 πρωί=4-11 το_πρωί=4-11 μεσημ=12-16 το_μεσημέρι=12-16 απόγ=17-19 το_απόγευμα=17-19",                         // el
	"ÖÖ=0-11 ÖS=12-23 gece=21-5 sabah=6-10 öğleden_önce=11-11 öğleden_sonra=12-17 akşamüstü=18-18 akşam=19-20",                                              // tr
	"gecə=0-3 sübh=4-5 səhər=6-11 gündüz=12-16 axşamüstü=17-18 axşam=19-23",                                                                                 // az
	"TO=0-11 TK=12-23 kechasi=22-5 ertalab=6-10 kunduzi=11-17 kechqurun=18-21",                                                                              // uz
	"түнгі=21-5 таңғы=6-11 түстен_кейінгі=12-17 кешкі=18-20",                                                                                                // kk
	"таңкы=0-11 түштөн_кийинки=12-23 түн_ичинде=21-5 тң=0-11 эртең_менен=6-11 түштөн_кийин=12-17 кечинде=18-20",                                             // ky
	"ღამ=21-4 ღამით=21-4 დილ=5-11 დილით=5-11 ნაშუადღ=12-17 ნაშუადღევს=12-17 საღ=18-20 საღამოს=18-20",                                                        // ka
	"գիշերը=0-5 գիշերվա=0-5 առավոտյան=6-11 ցերեկը=12-17 ցերեկվա=12-17 երեկոյան=18-23",                                                                       // hy
	"öösel=23-4 hommikul=5-11 pärastlõunal=12-17 õhtul=18-22",                                                                                               // et
	"priekšpusdienā=0-11 pēcpusdienā=12-23 naktī=23-5 priekšp=0-11 no_rīta=6-11 pēcpusd=12-17 pēcp=12-23 vakarā=18-22",                                      // lv
	"priešpiet=0-11 popiet=12-23 naktis=0-5 rytas=6-11 popietė=12-17 vakaras=18-23",                                                                         // lt
	"ap=0-11 ip=12-23 yöllä=23-4 aamulla=5-9 aamup=10-11 aamupäivällä=10-11 iltap=12-17 iltapäivällä=12-17 illalla=18-22",                                   // fi
	"fm=0-11 em=12-23 på_natten=0-4 på_morg=5-9 på_morgonen=5-9 på_förm=10-11 på_förmiddagen=10-11 på_efterm=12-17 på_eftermiddagen=12-17 på_kvällen=18-23", // sv
	"natt=0-5 morg=6-9 på_morgenen=6-9 form=10-11 på_formiddagen=10-11 etterm=12-17 på_ettermiddagen=12-17 kveld=18-23 på_kvelden=18-23",                    // nb
	"formiddag=0-11 ettermiddag=12-23 på_natta=0-5",                                                                                                         // nn
	"om_natten=0-4 om_morgenen=5-9 om_formiddagen=10-11 om_eftermiddagen=12-17 om_aftenen=18-23",                                                            // da
	"f.h=0-11 e.h=12-23 að_nóttu=0-5 að_morgni=6-11 síðdegis=12-17 að_kvöldi=18-23",                                                                         // is
	"ص=0-11 م=12-23 في_المساء=0-0 ليلاً=1-2 فجرًا=3-5 في_الصباح=3-5 صباحًا=6-11 ظهرًا=12-12 بعد_الظهر=13-17 مساءً=18-23",                                    // ar
	"לפנה״צ=0-11 אחה״צ=12-23 לילה=22-2 בלילה=22-2 לפנות_בוקר=3-5 בוקר=6-11 בבוקר=6-11 צהריים=12-15 בצהריים=12-15 אחר_הצהריים=16-17 ערב=18-21 בערב=18-21",    // he
	"قبلازظهر=0-11 بعدازظهر=12-23 صبح=0-11 نیمهشب=0-0 ق.ظ=0-11 بامداد=1-3 ظهر=12-12 ب.ظ=12-23 عصر=13-18 شب=19-23",                                           // fa
	"قبل_دوپہر=0-11 بعد_دوپہر=12-23 شام=12-23 رات=20-3 رات_میں=20-3 صبح_میں=4-11 دوپہر=12-15 دوپہر_میں=12-15 سہ_پہر=16-17 شام_میں=18-19",                    // ur
	"रात=20-3 सुबह=4-11 दोपहर=12-15 शाम=16-19",                                                                                                              // hi
	"পূর্বাহ্ণ=0-11 অপরাহ্ণ=12-23 রাত্রি=20-3 রাত্রিবেলায়=20-3 ভোর=4-5 ভোরবেলায়=4-5 সকাল=6-11 সকালবেলায়=6-11 দুপুর=12-15 দুপুরবেলায়=12-15 বিকাল=16-17 সন্ধ্যা=18-19 সন্ধ্যাবেলায়=18-19", // bn
	"म.पू=0-11 म.उ=12-23 रात्र=21-3 पहाट=4-5 सकाळ=6-11 दुपार=12-15 संध्याकाळ=16-20",                          // mr
	"પૂર્વ_મધ્યાહ્ન=0-11 ઉત્તર_મધ્યાહ્ન=12-23 રાત્રે=20-3 સવારે=4-11 બપોરે=12-15 સાંજે=16-19",                // gu
	"ਪੂ.ਦੁ=0-11 ਬਾ.ਦੁ=12-23 ਰਾਤੀਂ=21-3 ਸਵੇਰੇ=4-11 ਦੁਪਹਿਰੇ=12-15 ਸ਼ਾਮੀਂ=16-20",                                // pa
	"முற்பகல்=0-11 பிற்பகல்=12-23 இரவு=21-2 அதிகாலை=3-4 காலை=5-11 மதியம்=12-13 மாலை=16-17 அந்தி_மாலை=18-20",  // ta
	"పూర్వాహ్నం=0-11 అపరాహ్నం=12-23 రాత్రి=21-5 ఉదయం=6-11 మధ్యాహ్నం=12-17 సాయంత్రం=18-20",                    // te
	"ಪೂರ್ವಾಹ್ನ=0-11 ಅಪರಾಹ್ನ=12-23 ರಾತ್ರಿ=21-5 ಬೆಳಗ್ಗೆ=6-11 ಮಧ್ಯಾಹ್ನ=12-17 ಸಂಜೆ=18-20",                        // kn
	"രാത്രി=19-2 പുലർച്ചെ=3-5 രാവിലെ=6-11 ഉച്ചയ്ക്ക്=12-13 ഉച്ചതിരിഞ്ഞ്=14-14 വൈകുന്നേരം=15-17 സന്ധ്യ=18-18", // ml
	"পূৰ্বাহ্ন=0-11 অপৰাহ্ন=12-23",                                                                                      // as
	"पूर्वाह्न=0-11 अपराह्न=12-23 बिहान=4-11 अपरान्ह=12-15 साँझ=16-18 बेलुकी=19-21",                                     // ne
	"පෙ.ව=0-11 ප.ව=12-23 මැදියමට_පසු=0-0 පාන්දර=1-5 උදේ=6-11 දවල්=12-13 හවස=14-17 රෑ=18-23",                             // si
	"ก่อนเที่ยง=0-11 หลังเที่ยง=12-23 กลางคืน=21-5 ในตอนเช้า=6-11 ในตอนบ่าย=12-12 บ่าย=13-15 ในตอนเย็น=16-17 ค่ำ=18-20", // th
	"ກ່ອນທ່ຽງ=0-11 ຫຼັງທ່ຽງ=12-23 ກາງຄືນ=20-4 ຕອນກາງຄືນ=20-4 ຕອນເຊົ້າ=5-11 ຕອນບ່າຍ=12-15 ຕອນແລງ=16-19",                  // lo
	"ព្រឹក=0-11 ល្ងាច=12-23 នៅពេលព្រឹក=0-11 នៅពេលរសៀល=12-17 នៅពេលល្ងាច=18-20 នៅពេលយប់=21-23",                            // km
	"နံနက်=0-11 ညနေ=12-23 နေ့လယ်=12-15 ည=19-23",                                                                         // my
	"SA=0-11 CH=12-23 sáng=0-11 đêm=21-3 chiều=12-17 tối=18-20",                                                         // vi
	"pagi=0-9 siang=10-14 sore=15-17 malam=18-23",                                                                                                    // id
	"PG=0-11 PTG=12-23 tengah_malam=0-0 tengah_hari=12-13 petang=14-18",                                                                              // ms
	"ng_umaga=0-5 madaling-araw=6-11 ng_hapon=12-15 ng_gabi=16-23",                                                                                   // fil
	"usiku=19-3 alfajiri=4-6 asubuhi=7-11 mchana=12-15 jioni=16-18",                                                                                  // sw
	"上午=0-11 下午=12-23 早上=5-8 清晨=5-7 凌晨=0-5 中午=11-13 傍晚=17-19 晚上=18-23 半夜=21-5 深夜=21-5 午夜=21-5 夜里=21-5",                                               // zh
	"夜晚=18-5 上晝=0-11 朝早=8-11 下晝=12-23",                                                                                                               // yue
	"午前=0-11 午後=12-23 夜中=23-3 朝=4-11 昼=12-15 夕方=16-18 夜=19-22",                                                                                       // ja
	"오전=0-11 오후=12-23 밤=21-2 아침=3-5 저녁=18-20",                                                                                                        // ko
	"vm=0-11 nm=12-23 die_nag=0-4 die_oggend=5-11 die_middag=12-17 die_aand=18-23",                                                                   // af
	"matinada=0-5 matí=6-11 migdia=12-12 tarda=13-18 vespre=19-20 nit=21-23",                                                                         // ca
	"goizald=0-5 goizaldeko=0-5 goizeko=6-11 eguerd=12-13 eguerdiko=12-13 arrats=14-18 arratsaldeko=14-18 iluntz=19-20 iluntzeko=19-20 gaueko=21-23", // eu
	"da_mañá=6-11 do_mediodía=12-12",                                                                                                                 // gl
	"yb=0-11 yh=12-23 y_bore=0-11 y_prynhawn=12-17 yr_hwyr=18-23",                                                                                    // cy
	"r.n=0-11 i.n=12-23", // ga
	"ጥዋት=0-11 ከሰዓት=12-23 በሌሊት=0-5 በምሽት=18-23", // am
	"GH=0-11 GD=12-23", // so
	"entathakusa=0-5 ekuseni=6-9 emini=10-12 ntambama=13-18 ebusuku=19-23", // zu
	"ү.ө=0-11 ү.х=12-23 шөнө=21-5 өглөө=6-11 өдөр=12-17 орой=18-20",        // mn
	"günortadan_öň=0-11 günortadan_soň=12-23 go.öň=0-11 go.soň=12-23",      // tk
	"غ.م=0-11 غ.و=12-23",               // ps
	"صبح_منجهند=0-11 منجهند_شام=12-23", // sd
	"ቅ.ቀ=0-11 ድ.ቀ=12-23 ቅድመ_ፍርቂ-መዓልቲ=0-11 ደሕረ_ፍርቀ-መዓልቲ=12-23", // ti
	"ب.ن=0-11 د.ن=12-23", // ckb
	"BN=0-11 PN=12-23",   // ku
	"прије_подне=0-11 послије_подне=12-23 у_подне=12-17",                                     // bs-Cyrl
	"АМ=0-11 ПМ=12-23 ҝеҹә=0-3 сүбһ=4-5 сәһәр=6-11 ҝүндүз=12-16 ахшамүстү=17-18 ахшам=19-23", // az-Cyrl
	"ТО=0-11 ТК=12-23 кечаси=22-5 эрталаб=6-10 кундузи=11-17 кечқурун=18-21",                 // uz-Cyrl
	"da_manhã=0-11 da_tarde=12-23",    // pt-PT
	"du_mat=0-11",                     // fr-CA
	"a.g=0-11 a.k=12-23",              // agq
	"AN=0-11 ANW=12-23",               // ak
	"ل=1-2",                           // ar-SA
	"icheheavo=0-11 ichamthi=12-23",   // asa
	"I_bikɛ̂glà=0-11 I_ɓugajɔp=12-23", // bas
	"uluchelo=0-11 akasuba=12-23",     // bem
	"pamilau=0-11 pamunyi=12-23",      // bez
	"तडके=0-11 सांझ=12-23",            // bgc
	"भोर=0-11",                        // bho
	"gajanɩ=0-3 1ka=0-11 asʊbaa=4-6 gajaka=7-11 gɩshilikɔnɔ=12-15 2ja=12-23 gɩteŋshile=16-19 gɩjibɔŋɔ=20-23", // blo
	"སྔ་དྲོ་=0-11 ཕྱི་དྲོ་=12-23",                                                                            // bo
	"G.M=12-23", // br
	"फुं=0-11 बेलासे=12-23", // brx
	"𑄢𑄬𑄖𑄴=20-3 𑄛𑄧𑄖𑄳𑄠𑄃𑄟𑄧𑄣𑄳𑄠𑄬=4-5 𑄝𑄬𑄚𑄳𑄠𑄬=6-11 𑄘𑄨𑄝𑄪𑄎𑄳𑄠=12-15 𑄝𑄬𑄣𑄳𑄠𑄬=16-17 𑄥𑄎𑄧𑄚𑄳𑄠=18-19", // ccp
	"ᏌᎾᎴ=0-11 ᏒᎯᏱᎢᏗᏢ=12-23 ᏒᎯᏱᎢ=12-23",                                                // chr
	"ᐊᒼ=0-11 ᐁᒼ=0-11 ᐲᒼ=12-23",                                                        // csw
	"к._у=0-11 к._х=12-23",                                                            // cv
	"Luma_lwa_K=0-11 luma_lwa_p=12-23",                                                // dav
	"Subbaahi=0-11 Zaarikay_b=12-23",                                                  // dje
	"सवेर=0-11 स’ञ=12-23 दपैहर_बाद=12-23",                                             // doi
	"dopołdnja=0-11 wótp=12-23 wótpołdnja=12-23",                                      // dsb
	"idiɓa=0-11 ebyámu=12-23",                                                         // dua
	"སྔ་ཆ་=0-11 ཕྱི་ཆ་=12-23",                                                         // dz
	"KI=0-11 UT=12-23",                                                                // ebu
	"zã=21-3 ŋdi=0-11 fɔŋli=4-4 ŋdɔ=12-13 ɣetrɔ=12-23 fiẽ=18-20",                      // ee
	"atm=0-11 ptm=12-23",                                                              // eo
	"madrugada=0-5 mañana=6-11 tarde=12-19 noche=20-23",                               // es-AR
	"kíkíríg=0-11 ngəgógəle=12-23",                                                    // ewo
	"بعدازچاشت=13-18",                                                                 // fa-AF
	"subaka=0-11 kikiiɗe=12-23",                                                       // ff
	"de_l’ap.m=12-17",                                                                 // fr-CH
	"LEEBI=0-11 SHWANE=12-23",                                                         // gaa
	"znacht=0-4 am_Morge=5-11 zmittag=12-13 nam=12-23 am_Namittag=14-17 zaabig=18-23", // gsw
	"Safiya=0-11 Yamma=12-23 SF=0-11 YM=12-23",                                        // ha
	"raat=20-3 subah=4-11 dopahar=12-15 shaam=16-19",                                  // hi-Latn
	"popołdnju=12-23",                                                                 // hsb
	"ante_midí=0-11 pos_midí=12-23",                                                   // ie
	"N’ụtụtụ=0-11 N’abali=12-23 N’abalị=12-23",                                        // ig
	"ꎸꄑ=0-11 ꁯꋒ=12-23",                                                                // ii
	"mbaꞌmbaꞌ=0-11 ŋka_mbɔ́t_nji=12-23",                                               // jgo
	"utuko=0-11 kyiukonyi=12-23",                                                      // jmc
	"Isuk=0-11 Wengi=12-23",                                                           // jv
	"n_tufat=0-11 n_tmeddit=12-23",                                                    // kab
	"Ĩyakwakya=0-11 Ĩyawĩoo=12-23",                                                    // kam
	"kurã_ge=0-5 kusãg_ki=6-11 rãkãnh_kỹ=12-18 kuty_kỹ=19-23",                         // kgp
	"Adduha=0-11 Aluula=12-23",                                                        // khq
	"Kiroko=0-11 Hwaĩ-inĩ=12-23",                                                      // ki
	"krn=0-11 karoon=0-11 koosk=12-23 kooskoliny=12-23",                               // kln
	"राती=20-3 सकाळीं=4-11 दनपार=12-15 दनपारां=12-15 सांज=16-19 सांजे=16-19",                          // kok
	"rat=20-3 rati=20-3 sokall=4-11 sokallim=4-11 donpar=12-15 donparam=12-15 sanj=16-19 sanje=16-19", // kok-Latn
	"اے_ایم=0-11 پی_ایم=12-23",                     // ks
	"ये_एम=0-11 पी_एम=12-23",                       // ks-Deva
	"makeo=0-11 nyiaghuo=12-23",                    // ksb
	"sárúwá=0-11 cɛɛ́nko=12-23",                    // ksf
	"Uhr_vörmiddaachs=0-11 Uhr_nommendaachs=12-23", // ksh
	"TOO=0-11 MUU=12-23",                           // lag
	"moies=0-11 nomëttes=12-23",                    // lb
	"ntɔ́ngɔ́=0-11 mpókwa=12-23",                   // ln
	"OD=0-11 OT=12-23",                             // luo
	"Ɛnkakɛnyá=0-11 Ɛndámâ=12-23",                  // mas
	"RŨ=0-11 ŨG=12-23",                             // mer
	"wichishu=0-11 mchochil’l=12-23",               // mgh
	"নুমাং=0-11 এ_এম=0-11 পি_এম=12-23",             // mni
	"ǁgoagas=0-11 ǃuias=12-23",                     // naq
	"maná=0-11 kugú=12-23",                         // nmg
	"mbaʼámbaʼ=0-11 ncwònzém=12-23",                // nnh
	"ߛ=0-11 ߥ=12-23",                               // nqo
	"RW=0-11 TŊ=12-23",                             // nus
	"WD=0-11 WB=12-23",                             // om
	"ӕмбисбоны_размӕ=0-11 ӕмбисбоны_фӕстӕ=12-23",                             // os
	"Fọ_mọ́nin=0-11 FI=12-23 Fọ_ívnin=12-23",                                 // pcm
	"ankstāinan=0-11 pa_pussideinan=12-23",                                   // prg
	"सबेरे=0-11 सांम=12-23",                                                  // raj
	"Z.MU=0-11 Z.MW=12-23",                                                   // rn
	"kang’ama=0-11 kingoto=12-23",                                            // rof
	"ЭИ=0-11 ЭК=12-23",                                                       // sah
	"Tesiran=0-11 Teipa=12-23",                                               // saq
	"ᱥᱮᱛᱟᱜ=0-11 ᱧᱤᱫᱟᱹ=12-23",                                                 // sat
	"Lwamilawu=0-11 Pashamihe=12-23",                                         // sbp
	"सुबुह_जा=0-11 शाम_जा=12-23",                                             // sd-Deva
	"i.b=0-11 iđitbeaivet=0-11 e.b=12-23 eahketbeaivet=12-23",                // se
	"ND=0-11 LK=12-23",                                                       // sg
	"ⵜⵉⴼⴰⵡⵜ=0-11 ⵜⴰⴷⴳⴳⵯⴰⵜ=12-23",                                             // shi
	"တၸ=0-11 တွၼ်ႈၸဝ်ႉ=0-11 တလ=12-23 တွၼ်ႈလႃႈ=12-23",                         // shn
	"jutro=6-11 po_pod=12-17 veče=18-20",                                     // sr-ME
	"Hoseng=0-11 Thapama=12-23",                                              // st
	"do_połedniŏ=0-11 po_połedniu=12-23",                                     // szl
	"Taparachu=0-11 Ebongi=12-23",                                            // teo
	"HH=0-11 hengihengi=0-11 EA=12-23 efiafi=12-23",                          // to
	"Zdat_azal=0-11 Ḍeffir_aza=12-23",                                        // tzm
	"چ.ب=0-11 چۈشتىن_بۇرۇن=0-11 چ.ك=12-23 چۈشتىن_كېيىن=12-23",                // ug
	"vaasisu=0-11 makaaripi=12-23",                                           // vmw
	"भ्यागा=0-11 दपेहरा/संजा=12-23",                                          // xnr
	"Munkyo=0-11 Eigulo=12-23",                                               // xog
	"kiɛmɛ́ɛm=0-11 kisɛ́ndɛ=12-23",                                           // yav
	"פֿאַרמיטאָג=0-11 נאָכמיטאָג=12-23",                                      // yi
	"Àárọ̀=0-11 Ọ̀sán=12-23",                                                 // yo
	"pitunaeté_ramẽ=0-5 kuêma_ramẽ=6-11 karuka_ramẽ=12-18 pituna_ramẽ=19-23", // yrl
	"上昼=0-11 下昼=12-23",                                                       // yue-Hans
	"banhaet=0-11 banringzgvaq=12-23",                                        // za
}
