package evolve

import "errors"

// Why a candidate is refused. The text of each is what the owner reads.
var (
	ErrEmpty       = errors.New("it says nothing")
	ErrTooLong     = errors.New("it is too long")
	ErrLanguage    = errors.New("it is not in the language that it is for")
	ErrStage       = errors.New("no stage takes it")
	ErrName        = errors.New("it names somebody")
	ErrNumber      = errors.New("it holds an amount, a number or a day")
	ErrTelling     = errors.New("it holds words of a case")
	ErrQuotes      = errors.New("it repeats what somebody wrote")
	ErrInstruction = errors.New("it gives orders that no note may give")
	ErrMarkup      = errors.New("it holds an address, code or a marker")
	ErrKey         = errors.New("this release knows no key")
	ErrKnown       = errors.New("it is known already")
	ErrFull        = errors.New("its stage holds no more of them")
	ErrNoBetter    = errors.New("nothing got better by it")
	ErrWorse       = errors.New("kept cases got worse by it")
	ErrStep        = errors.New("a smaller step does as much")
	ErrWithdrawn   = errors.New("what it rested on was said otherwise since, or taken back")
	ErrOpens       = errors.New("a kept case that was closed enough is open by it")
)

// ErrBudget says that more calls of a model would be needed than may be made.
var ErrBudget = errors.New("the budget of calls is spent")

// ErrOtherRun says that a run that was stopped began with other settings.
var ErrOtherRun = errors.New("was stopped and goes on as it began: give the same --seed and --stage or none, or --again to begin anew")

// ErrUnknown says that no supplement has this id. One that was forgotten has left no trace of
// its id, which is that of its content.
var ErrUnknown = errors.New("no such supplement (one may have gone with its evidence, which was forgotten); `epagent evolve list` lists them")
