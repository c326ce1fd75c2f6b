package engine_test
import ("testing";"os";"encoding/json";"bufio";"fmt";"github.com/epagent/epagent/privacy";"github.com/epagent/epagent/privacy/engine")
func TestZZ(t *testing.T){
 for _,d:=range []string{"en-01","zh-01"}{
  dir:="/work/shared/cases/epbench/"+d
  src,_:=os.ReadFile(dir+"/policy.yaml"); p,err:=privacy.Parse("p",src); if err!=nil{t.Fatal(err)}
  f,_:=os.Open(dir+"/sessions.jsonl"); sc:=bufio.NewScanner(f); sc.Buffer(nil,1<<22)
  for sc.Scan(){
   var s struct{ID string; Participants []string; Turns []struct{ID,Speaker,Text,Reply_to string}}
   json.Unmarshal(sc.Bytes(),&s)
   es:=engine.Session{ID:s.ID}
   for _,u:=range s.Turns{ var ls []string; for _,x:=range s.Participants{ if x!=u.Speaker{ls=append(ls,x)}}
    es.Utterances=append(es.Utterances,engine.Utterance{ID:u.ID,Speaker:u.Speaker,Owner:p.IsOwner(u.Speaker),Listeners:ls,Text:u.Text,ReplyTo:u.Reply_to})
   }
   // one draft per owner utterance, one at a time: show per utterance sayings
   for _,u:=range es.Utterances{ if !u.Owner{continue}
     x:=engine.Session{Utterances: es.Utterances, Drafts: nil}
     _=x
   }
   for i,u:=range es.Utterances{ if !u.Owner{continue}
     lo:=i-3; if lo<0{lo=0}
     x:=engine.Session{Utterances: es.Utterances[lo:i+1], Drafts: []privacy.Record{{ID:"f",OwnerSaid:true,Text:u.Text,Evidence:[]string{u.ID}}}}
     ms,_,_:=engine.NewOffline().Exceptions(t.Context(),p,x)
     // drop marks from other turns
     var own []privacy.Mark
     for _,m:=range ms[0]{ if m.Turn==u.ID{own=append(own,m)}}
     am,_:=engine.NewOffline().Annotate(t.Context(),p,x,nil)
     cov:=""
     for _,m:=range am[0]{ if m.Rule=="MARKS 7" && m.Value!="real"{cov+=" "+string(m.Kind)+":"+m.Value}}
     if len(own)>0||cov!=""{fmt.Println(u.ID,short(own),"|",cov,"|",u.Text); for _,m:=range own{ if m.Kind==privacy.MarkReview{fmt.Println("      review:",m.Value)}}}
   }
  }
 }
}
