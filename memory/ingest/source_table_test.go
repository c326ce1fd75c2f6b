package ingest_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epagent/epagent/memory/ingest"
)

// TestTables holds the readers of tables to what those of lines refuse.
func TestTables(t *testing.T) {
	weChat := "localId,TalkerId,Type,SubType,IsSender,CreateTime,Status,StrContent,StrTime,Remark,NickName,Sender\n" +
		"1,1,1,0,0,1718067600,2,你好,2024-06-11 09:00:00,王,王,wxid_a\n2,1,1,0,1,1718067660,2,\"%\",2024-06-11 09:01:00,王,王,wxid_b\n"
	for _, table := range []struct{ name, file, text string }{
		{"KakaoTalk", "k.csv", strings.Replace(kakaoTexts["table"], "사진", "%", 1)},
		{"WeChat", "w.csv", weChat},
	} {
		for _, c := range []struct {
			name, put string
			want      error
			says      string
		}{
			{"sound", "뭐", nil, ""},
			{"cut character", "뜜\x9c\xa9", ingest.ErrEncoding, "--encoding"},
			{"NUL", "a\x00b", ingest.ErrEncoding, "NUL"},
			{"quotation mark", `a "b`, ingest.ErrFormat, "quotation mark"},
			{"second line", "a\nb\xe4", ingest.ErrEncoding, "--encoding"},
		} {
			t.Run(table.name+" "+c.name, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), table.file)
				text := strings.Replace(table.text, "%", c.put, 1)
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				e, err := ingest.Read(t.Context(), path, ingest.Options{Self: "민수"})
				if !errors.Is(err, c.want) || err == nil && len(e.Messages) < 2 {
					t.Fatalf("got %v, want %v", err, c.want)
				}
				if err == nil {
					return
				}
				if !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "line ") {
					t.Errorf("the error doesn't say where and what: %v", err)
				}
			})
		}
	}
}
