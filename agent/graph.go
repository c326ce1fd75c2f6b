package agent

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/compose"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// The nodes of the disclosing graph, in their order.
const (
	nodeIdentify = "identify"    // who is asking, and the world to judge in
	nodeRecall   = "recall"      // rank what they may know
	nodeUnits    = "query_units" // which of it the question asks for
	nodeCorefer  = "corefer"     // facts of one event: real or cover, and its states
	nodeJudge    = "judge"       // the verdict on each, and on their connection
	nodeProject  = "project"     // the audience-safe context
	nodeRespond  = "respond"     // the answer from that context alone
	nodeGuard    = "guard"       // nothing denied leaves
	nodeRecord   = "record"      // the ledger entry
)

// turn is one question on its way through the graph.
type turn struct {
	request DiscloseRequest
	owner   bool          // the owner asks: everything may be shown, nothing is recorded
	earlier []string      // what the same readers asked before in this conversation, oldest first
	stages  *Stages       // identify: those with what evolution has in force
	talk    *Conversation // nil outside of one: nothing said before counts then
	failed  error         // what ended the way, as the node said it
	notes   *notes        // what a stage has to say about how it ran

	to         []privacy.Recipient // identify
	names      []string            // identify
	language   string              // identify
	asked      string              // identify, units: the question, with what it takes from the ones before
	history    history             // identify: what the readers were told before
	world      *world              // identify
	permitted  []engine.Ranked     // recall: best first, permitted facts only
	considered []memory.Hit        // recall: the owner's view, for guard and explain
	units      engine.Units        // units, corefer
	judged     []judgedFact        // judge
	ask        *memory.Ask         // judge: what waits for the owner's word
	material   engine.Material     // project
	context    engine.Context      // project
	answer     engine.Answer       // respond, guard
	leaks      []privacy.FactID    // guard
	entry      int64               // record
	withheld   error               // identify, or after record: why nothing may be told
}

// discloseGraph builds the one way to disclose. Every question passes all nodes,
// whatever it may be told: a deflection takes the same stages as an answer.
func (a *Agent) discloseGraph(ctx context.Context) (compose.Runnable[*turn, *turn], error) {
	nodes := []struct {
		key string
		run func(context.Context, *turn) error
	}{
		{nodeIdentify, a.identify},
		{nodeRecall, a.recallPermitted},
		{nodeUnits, a.findUnits},
		{nodeCorefer, a.coreferUnits},
		{nodeJudge, a.judgeUnits},
		{nodeProject, a.project},
		{nodeRespond, a.respond},
		{nodeGuard, a.guard},
		{nodeRecord, a.record},
	}
	graph := compose.NewGraph[*turn, *turn]()
	previous := compose.START
	for _, n := range nodes {
		run := n.run
		lambda := compose.InvokableLambda(func(ctx context.Context, t *turn) (*turn, error) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			t.failed = run(ctx, t)
			return t, t.failed
		})
		if err := graph.AddLambdaNode(n.key, lambda, compose.WithNodeName(n.key)); err != nil {
			return nil, fmt.Errorf("disclosing graph: %w", err)
		}
		if err := graph.AddEdge(previous, n.key); err != nil {
			return nil, fmt.Errorf("disclosing graph: %w", err)
		}
		previous = n.key
	}
	if err := graph.AddEdge(previous, compose.END); err != nil {
		return nil, fmt.Errorf("disclosing graph: %w", err)
	}
	runnable, err := graph.Compile(ctx, compose.WithGraphName("disclose"))
	if err != nil {
		return nil, fmt.Errorf("disclosing graph: %w", err)
	}
	return runnable, nil
}
