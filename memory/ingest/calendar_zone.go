package ingest

import (
	"strconv"
	"strings"
	"time"
)

// windowsZones are the names that Outlook and Exchange give to zones, by the zone of the
// tz database that stands for each in the CLDR.
var windowsZones = func() map[string]string {
	out := map[string]string{}
	for line := range strings.SplitSeq(`UTC=Etc/UTC|GMT Standard Time=Europe/London|Greenwich Standard Time=Atlantic/Reykjavik|W. Europe Standard Time=Europe/Berlin|Central Europe Standard Time=Europe/Budapest|Romance Standard Time=Europe/Paris|Central European Standard Time=Europe/Warsaw
W. Central Africa Standard Time=Africa/Lagos|GTB Standard Time=Europe/Bucharest|E. Europe Standard Time=Europe/Chisinau|FLE Standard Time=Europe/Kiev|Middle East Standard Time=Asia/Beirut|Egypt Standard Time=Africa/Cairo|South Africa Standard Time=Africa/Johannesburg|Israel Standard Time=Asia/Jerusalem|Jordan Standard Time=Asia/Amman|Syria Standard Time=Asia/Damascus|Kaliningrad Standard Time=Europe/Kaliningrad|Turkey Standard Time=Europe/Istanbul|Morocco Standard Time=Africa/Casablanca
Arabic Standard Time=Asia/Baghdad|Arab Standard Time=Asia/Riyadh|Belarus Standard Time=Europe/Minsk|Russian Standard Time=Europe/Moscow|E. Africa Standard Time=Africa/Nairobi|Iran Standard Time=Asia/Tehran|Arabian Standard Time=Asia/Dubai|Azerbaijan Standard Time=Asia/Baku|Georgian Standard Time=Asia/Tbilisi|Caucasus Standard Time=Asia/Yerevan|Afghanistan Standard Time=Asia/Kabul|West Asia Standard Time=Asia/Tashkent|Ekaterinburg Standard Time=Asia/Yekaterinburg|Pakistan Standard Time=Asia/Karachi
India Standard Time=Asia/Kolkata|Sri Lanka Standard Time=Asia/Colombo|Nepal Standard Time=Asia/Kathmandu|Central Asia Standard Time=Asia/Bishkek|Bangladesh Standard Time=Asia/Dhaka|Myanmar Standard Time=Asia/Yangon|SE Asia Standard Time=Asia/Bangkok|N. Central Asia Standard Time=Asia/Novosibirsk|China Standard Time=Asia/Shanghai|Singapore Standard Time=Asia/Singapore|W. Australia Standard Time=Australia/Perth|Taipei Standard Time=Asia/Taipei|Ulaanbaatar Standard Time=Asia/Ulaanbaatar
Tokyo Standard Time=Asia/Tokyo|Korea Standard Time=Asia/Seoul|Cen. Australia Standard Time=Australia/Adelaide|AUS Central Standard Time=Australia/Darwin|E. Australia Standard Time=Australia/Brisbane|AUS Eastern Standard Time=Australia/Sydney|Tasmania Standard Time=Australia/Hobart|West Pacific Standard Time=Pacific/Port_Moresby|Vladivostok Standard Time=Asia/Vladivostok|New Zealand Standard Time=Pacific/Auckland|Fiji Standard Time=Pacific/Fiji|Samoa Standard Time=Pacific/Apia
Hawaiian Standard Time=Pacific/Honolulu|Alaskan Standard Time=America/Anchorage|Pacific Standard Time=America/Los_Angeles|Pacific Standard Time (Mexico)=America/Tijuana|US Mountain Standard Time=America/Phoenix|Mountain Standard Time=America/Denver|Central Standard Time=America/Chicago|Central Standard Time (Mexico)=America/Mexico_City|Canada Central Standard Time=America/Regina|Central America Standard Time=America/Guatemala|Eastern Standard Time=America/New_York|Eastern Standard Time (Mexico)=America/Cancun|US Eastern Standard Time=America/Indianapolis
SA Pacific Standard Time=America/Bogota|Cuba Standard Time=America/Havana|Venezuela Standard Time=America/Caracas|Atlantic Standard Time=America/Halifax|SA Western Standard Time=America/La_Paz|Pacific SA Standard Time=America/Santiago|Paraguay Standard Time=America/Asuncion|Newfoundland Standard Time=America/St_Johns|E. South America Standard Time=America/Sao_Paulo|Argentina Standard Time=America/Buenos_Aires|SA Eastern Standard Time=America/Cayenne|Montevideo Standard Time=America/Montevideo|Greenland Standard Time=America/Godthab|Azores Standard Time=Atlantic/Azores|Cape Verde Standard Time=Atlantic/Cape_Verde`, "\n") {
		for pair := range strings.SplitSeq(line, "|") {
			windows, zone, _ := strings.Cut(pair, "=")
			out[strings.ToLower(windows)] = zone
		}
	}
	return out
}()

// calendarZone is the zone that a TZID names: one of the tz database, perhaps behind what
// a program puts before it ("/example.org/Europe/Berlin"), or one of Windows.
func calendarZone(id string) (*time.Location, bool) {
	id = strings.Trim(strings.TrimSpace(id), "/")
	if id == "" || strings.EqualFold(id, "local") {
		return nil, false
	}
	if zone, ok := windowsZones[strings.ToLower(id)]; ok {
		id = zone
	}
	for tried := id; ; {
		if z, err := time.LoadLocation(tried); err == nil && tried != "" {
			return z, true
		}
		_, rest, ok := strings.Cut(tried, "/")
		if !ok || !strings.Contains(rest, "/") {
			return nil, false
		}
		tried = rest
	}
}

// tellTimes reports a time whose zone isn't known, or that its clocks never showed.
func (e *calendarEvent) tellTimes(b *builder, fallback *time.Location) {
	for _, p := range []property{e.start, e.end} {
		t, err := time.Parse("20060102T150405", strings.TrimSpace(p.value))
		if err != nil {
			continue
		}
		zone := fallback
		if id := p.params["TZID"]; id != "" {
			z, ok := calendarZone(id)
			if !ok {
				b.warnOnce("zone_unread", "zone_unread: an event names a time zone that isn't known (first: line "+strconv.Itoa(e.line)+"); such times are kept as its clocks show them")
				continue
			}
			zone = z
		}
		if zone != nil && len(instants(t, zone)) == 0 {
			b.warnOnce("time_impossible", "time_impossible: the time of an event never showed on its clocks, which sprang over it (first: line "+strconv.Itoa(e.line)+"); such times are kept as they are written")
		}
	}
}
