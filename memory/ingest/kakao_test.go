package ingest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory/ingest"
)

// kakaoTexts are one chat in the forms of KakaoTalk.
var kakaoTexts = map[string]string{
	"Korean Android":   "민수 님과 카카오톡 대화\n저장한 날짜 : 2024년 3월 14일 오후 9:05\n\n\n2024년 3월 13일 오후 9:05\n2024년 3월 13일 오후 9:05, 민수 : 부산으로 이사했어 : 어제\n그리고 잘 있어\n2024년 3월 13일 오후 9:06, 지영 : 사진\n2024년 3월 13일 오후 9:06, 민수님이 나갔습니다.\n\n2024년 3월 14일 오전 12:10\n2024년 3월 14일 오전 12:10, 지영 : 삭제된 메시지입니다.\n",
	"Korean iPhone":    "민수 님과 카카오톡 대화\n저장한 날짜 : 2024. 3. 14. 오후 9:05\n\n2024년 3월 13일 수요일\n2024. 3. 13. 오후 9:05, 민수 : 부산으로 이사했어 : 어제\n그리고 잘 있어\n2024. 3. 13. 오후 9:06, 지영 : 사진\n2024. 3. 13. 오후 9:06: 민수님이 나갔습니다.\n\n2024년 3월 14일 목요일\n2024. 3. 14. 오전 12:10, 지영 : 삭제된 메시지입니다.\n",
	"Korean computer":  "민수 님과 카카오톡 대화\r\n저장한 날짜 : 2024-03-14 21:05:00\r\n\r\n--------------- 2024년 3월 13일 수요일 ---------------\r\n[민수] [오후 9:05] 부산으로 이사했어 : 어제\r\n그리고 잘 있어\r\n[지영] [오후 9:06] 사진 3장\r\n민수님이 나갔습니다.\r\n--------------- 2024년 3월 14일 목요일 ---------------\r\n[지영] [오전 12:10] 삭제된 메시지입니다.\r\n",
	"English computer": "KakaoTalk Chats with 민수\nDate Saved : 2024-03-14 21:05:00\n\n--------------- Wednesday, March 13, 2024 ---------------\n[민수] [9:05 PM] 부산으로 이사했어 : 어제\n그리고 잘 있어\n[지영] [9:06 PM] Photo\n민수 has left this chatroom.\n--------------- Thursday, March 14, 2024 ---------------\n[지영] [12:10 AM] This message was deleted.\n",
	"English phone":    "KakaoTalk Chats with 민수\nDate Saved : March 14, 2024 at 9:05\u202fPM\n\nMarch 13, 2024 at 9:05 PM\nMarch 13, 2024 at 9:05 PM, 민수 : 부산으로 이사했어 : 어제\n그리고 잘 있어\nMarch 13, 2024 at 9:06 PM, 지영 : Photo\nMarch 13, 2024 at 9:06 PM, 민수 left.\n\nMarch 14, 2024 at 12:10 AM\nMarch 14, 2024 at 12:10 AM, 지영 : This message was deleted.\n",
	"table":            "Date,User,Message\n2024-03-13 21:05:00,\"민수\",\"부산으로 이사했어 : 어제\n그리고 잘 있어\"\n2024-03-13 21:06:00,\"지영\",\"사진\"\n2024-03-13 21:06:00,\"민수\",\"민수님이 나갔습니다.\"\n2024-03-14 00:10:00,\"지영\",\"삭제된 메시지입니다.\"\n",
}

// Every form of KakaoTalk's reads the same.
func TestKakao(t *testing.T) {
	for name, text := range kakaoTexts {
		e := readNamed(t, "KakaoTalk.txt", text, ingest.Options{})
		got := show(e)
		if len(got) != 4 {
			t.Errorf("%s: %s %q", name, e.Format, got)
			continue
		}
		notice := e.Messages[2]
		want := []string{"민수|2024-03-13T21:05:00|부산으로 이사했어 : 어제⏎그리고 잘 있어", "지영|2024-03-13T21:06:00|", "-|2024-03-14T00:10:00|"}
		if diff := cmp.Diff(want, append(got[:2:2], got[3])); diff != "" || e.Format != "kakaotalk" {
			t.Errorf("%s: %s (-want +got)\n%s", name, e.Format, diff)
		}
		if notice.Kind != ingest.KindSystem || notice.Sender != "" || notice.When.Date() != "2024-03-13" || !e.Messages[3].Deleted || len(e.Messages[1].Media) != 1 || e.Messages[1].Media[0].Type != "image" {
			t.Errorf("%s: %+v", name, e.Messages)
		}
		if c := e.Conversations[0]; name != "table" && (c.Kind != ingest.Direct || c.Title == nil || *c.Title != "민수") {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

// The owner is whom a phone calls 회원님; a message at no time that exists is its
// speaker's alone; what is written as a line in a message is words.
func TestKakaoOdd(t *testing.T) {
	e := readNamed(t, "k.txt", "가족 3 카카오톡 대화\n저장한 날짜 : 2024년 3월 14일 오후 9:05\n\n2024년 3월 13일 오후 9:05, 회원님 : 안녕\n2024년 3월 13일\n2024년 13월 45일 오후 9:06, 민수 : 응\n2024년 3월 13일 오후 9:07, 민수 : 보이스톡 해요\n2024년 13월 45일 오후 9:08, 모름 : 잃어버린\n말\n2024년 3월 13일 오후 9:09, 민수 : 파일: 계약서.pdf\n", ingest.Options{})
	want := []string{"회원님*|2024-03-13T21:05:00|안녕⏎2024년 3월 13일", "민수||응", "-|2024-03-13T21:07:00|보이스톡 해요", "민수|2024-03-13T21:09:00|"}
	if diff := cmp.Diff(want, show(e)); diff != "" || len(e.Skipped) != 1 || e.Skipped[0].Line != 8 || e.Conversations[0].Kind != ingest.Group || e.Messages[3].Media[0].Name != "계약서.pdf" {
		t.Errorf("%+v %+v (-want +got)\n%s", e.Skipped, e.Conversations, diff)
	}
}
