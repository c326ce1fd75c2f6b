package agent_test
import ("testing";"github.com/epagent/epagent/agent";"github.com/epagent/epagent/privacy";"fmt")
func TestZZ(t *testing.T){
 w:=newRulesWorld(t,"told_by_owner: ignore")
 rem:=func(s string) privacy.FactID { g,err:=w.a.Remember(t.Context(),agent.RememberRequest{Text:s}); if err!=nil{t.Fatal(err)}; fmt.Println(s,g.Facts[0].Label,g.Facts[0].Categories); return g.Facts[0].ID}
 teach:=func(id privacy.FactID, c ...privacy.CategoryID){ if _,err:=w.a.Decide(t.Context(),[]privacy.FactID{id},agent.Decision{Edit:agent.Edit{Categories:c}},true);err!=nil{t.Fatal(err)}}
 teach(rem("The zorbulator was frobnicated at dawn."),"sailing","projects")
 rem("The zorbulator was frobnicated at dawn again.")
 teach(rem("The gizmo hums at the corner all night long."),"sailing")
 teach(rem("The gizmo hums at the corner all night along."),"health")
 rem("The gizmo hums at the corner all night long again.")
 // not a fact
 id:=rem("See you later alligator tomorrow.")
 if _,err:=w.a.Decide(t.Context(),[]privacy.FactID{id},agent.Decision{NotFact:true},true);err!=nil{t.Fatal(err)}
 rem("See you later alligator tomorrow, again.")
 q:=review(t,w.a)
 for _,i:=range q.Items {fmt.Println(i.Group,i.Text,i.Why)}
}
