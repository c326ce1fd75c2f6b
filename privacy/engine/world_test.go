package engine_test

import (
	"testing"

	"github.com/epagent/epagent/privacy"
)

// worldPolicy is a small English policy that the tests share. Relations stand in
// the notes only, as people write them.
const worldPolicy = `
version: 1
owner: {name: Nora Quist, aliases: [Nora], language: en}
domains: [work, life]
groups:
  - {id: close, tier: 1, domain: any, description: "Who I tell everything"}
  - {id: family, tier: 2, domain: life, description: "My parents and my brother"}
  - {id: pod, tier: 2, domain: work, description: "The people I sit with"}
  - {id: management, tier: 3, domain: work, description: "Whoever decides at the firm"}
  - {id: rowing, tier: 3, domain: life, description: "Friends from the rowing club"}
people:
  - {id: pavel, name: Pavel Dorn, aliases: [Pavel], groups: [close], note: "my husband"}
  - {id: gerda, name: Gerda Quist, aliases: [Gerda], groups: [family], note: "my mother"}
  - {id: olaf, name: Olaf Quist, aliases: [Olaf], groups: [family], note: "my younger brother, a baker"}
  - {id: imke, name: Imke Sand, aliases: [Imke], groups: [pod], note: "works next to me"}
  - {id: tuan, name: Tuan Pham, aliases: [Tuan], groups: [pod, rowing], note: "developer"}
  - {id: rhea, name: Rhea Holt, aliases: [Rhea, "Ms Holt"], groups: [management], note: "head of design, my boss"}
  - {id: bf, name: Bruno Faye, groups: [rowing], note: "my first boss, retired"}
  - {id: kit, name: Kit Lowe, aliases: [Kit], groups: [rowing], note: "rows with me"}
categories:
  - {id: health, name: Health, level: 1, domain: life, description: "Illness, appointments, treatment, medicine"}
  - {id: career, name: Looking for other work, level: 1, domain: life, description: "Applications, interviews, offers, leaving my employer"}
  - {id: money, name: Money, level: 1, domain: life, description: "Savings, debts, loans and what things cost"}
  - {id: hobbies, name: Hobbies, level: 4, description: "Rowing, films, concerts, what I do for fun"}
  - {id: surprises, name: Surprises, level: 3, description: "Presents and parties in the making", deny: [$subject]}
  - {id: entrusted, name: Told me in confidence, level: 2, description: "What others confided to me", confidence: true}
`

// shijiePolicy is its Chinese sister.
const shijiePolicy = `
version: 1
owner: {name: 林知夏, aliases: [知夏], language: zh}
domains: [work, life]
groups:
  - {id: zhijiao, tier: 1, domain: any, description: "无话不谈的人"}
  - {id: jiali, tier: 2, domain: life, description: "妈妈和弟弟"}
  - {id: xiaozu, tier: 2, domain: work, description: "设计组，天天坐一起的同事"}
  - {id: guanli, tier: 3, domain: work, description: "公司的管理层"}
people:
  - {id: chen, name: 陈一鸣, aliases: [一鸣], groups: [zhijiao], note: "丈夫，律师"}
  - {id: mama, name: 周玉兰, aliases: [玉兰], groups: [jiali], note: "母亲"}
  - {id: didi, name: 林知远, aliases: [知远], groups: [jiali], note: "弟弟，他妻子叫小雨"}
  - {id: xu, name: 许晴, aliases: [小晴], groups: [xiaozu], note: "同组设计师"}
  - {id: zhao, name: 赵磊, aliases: [赵总], groups: [guanli], note: "设计总监，我的老板"}
  - {id: gao, name: 高翔, aliases: [], groups: [zhijiao], note: "大学室友"}
categories:
  - {id: jiankang, name: 健康, level: 1, domain: life, description: "看病、吃药、检查"}
  - {id: gongzuo, name: 工作去向, level: 1, domain: life, description: "面试、跳槽、离职的打算"}
  - {id: aihao, name: 爱好, level: 4, description: "跑步、电影、看书"}
`

func mustPolicy(t testing.TB, src string) *privacy.Policy {
	t.Helper()
	p, err := privacy.Parse("policy.yaml", []byte(src))
	if err != nil {
		t.Fatalf("test policy: %v", err)
	}
	return p
}
