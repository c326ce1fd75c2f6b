package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/cloudwego/eino/compose"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/host/simple"
	"github.com/epagent/epagent/memory/thesaurus"
	"github.com/epagent/epagent/privacy/engine"
)

// Stages are the implementations of the key stages. A nil one is the embedded
// offline implementation.
type Stages struct {
	Extractor  memory.Extractor
	Annotator  engine.Annotator
	Excepter   engine.Excepter
	Coreferrer engine.Coreferrer
	Units      engine.UnitFinder
	Projector  engine.Projector
	Responder  engine.Responder
	Guard      engine.Guard
}

// Options configure an Agent. The zero value works offline.
type Options struct {
	Now      func() time.Time                // default: time.Now
	Logger   *slog.Logger                    // default: discards
	Model    ModelOptions                    // default: none, everything offline
	Stages   Stages                          // default: on the model if there is one, else offline
	Host     func(*memory.Store) memory.Host // default: the simple host
	Embedder memory.Embedder                 // default: thesaurus.Embedder
	Tracers  []Tracer                        // told of each node as it runs; default: the logger, at debug level
	// Learned is what evolution learned, in place of what the home has in force. Nil: the
	// home's own, as it is at each request.
	Learned *Learned
	Alpha   float64 // weight of the native host in recall; with Beta both 0: the defaults of memory
	Beta    float64 // weight of the event facts
	// Relaxed doesn't wait for the disk: a power cut may lose or damage the home. It is
	// for simulations alone (TestRelaxedStores), whose homes can be made again.
	Relaxed bool
}

// Agent is the delegate over one home folder. It is safe for concurrent use;
// several processes may have the same home open.
type Agent struct {
	home      string
	opts      Options
	log       *slog.Logger
	taught    taughtStages
	store     *memory.Store
	host      memory.Host
	recall    *memory.Recaller  // with the host: for Recall alone, in the owner's own view
	eventSide *memory.EventSide // without: for everything else
	graph     compose.Runnable[*turn, *turn]

	readOnly bool // the store can't be written

	mu     sync.Mutex
	policy policyCache
	judged memory.Judged // what world was made from
	world  *world

	events eventIndex
}

// Open opens the home folder and makes it where it is missing. It reads neither
// the facts nor the index: those are loaded by the first request that needs them.
func Open(ctx context.Context, home string, opts Options) (*Agent, error) {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	if opts.Embedder == nil {
		opts.Embedder = thesaurus.Embedder{}
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, fmt.Errorf("open the home folder: %w; choose another by --home or EPAGENT_HOME", err)
	}
	a := &Agent{home: home, opts: opts, log: opts.Logger}
	storeOptions := memory.Options{
		Embedder: opts.Embedder,
		Relaxed:  opts.Relaxed,
		Rebuild: func(s *memory.Session) (memory.Layers, error) {
			// Within a transaction, and with words of forgotten messages in view of what a
			// model wrote of the others: no model.
			return memory.OfflineHost(a.host).Compose(context.WithoutCancel(ctx), s)
		},
	}
	store, err := memory.Open(ctx, filepath.Join(home, DatabaseFile), storeOptions)
	if errors.Is(err, memory.ErrReadOnly) {
		// The owner may read what can't be written; whatever writes says so itself.
		a.readOnly, storeOptions.ReadOnly = true, true
		store, err = memory.Open(ctx, filepath.Join(home, DatabaseFile), storeOptions)
	}
	if err != nil {
		return nil, err
	}
	a.store = store
	a.host = opts.host(store)
	if err := store.CheckHost(ctx, a.host.Name()); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	if a.recall, err = memory.NewRecaller(store, memory.RecallOptions{Host: a.host, Alpha: opts.Alpha, Beta: opts.Beta}); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	a.eventSide = a.recall.EventSide()
	if a.graph, err = a.discloseGraph(ctx); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// Close closes the store, and the host if it has something to close. Running requests
// must have ended.
func (a *Agent) Close() error { return errors.Join(closeHost(a.host), a.store.Close()) }

func closeHost(h memory.Host) error {
	if c, ok := h.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// CheckHost says whether the native host can be searched; nil for one that lives in
// the store.
func (a *Agent) CheckHost(ctx context.Context) error {
	if c, ok := a.host.(interface{ Check(context.Context) error }); ok {
		return c.Check(ctx)
	}
	return nil
}

// HostName returns the native host's name and version.
func (a *Agent) HostName() string { return a.host.Name() }

// Home returns the home folder.
func (a *Agent) Home() string { return a.home }

// withOffline fills what is missing with the offline implementations, with what they
// were taught.
func withOffline(s Stages, lessons []engine.Lesson) Stages {
	off := engine.NewOffline(lessons...)
	if s.Extractor == nil {
		s.Extractor = memory.OfflineExtractor{}
	}
	if s.Annotator == nil {
		s.Annotator = off
	}
	if s.Excepter == nil {
		s.Excepter = off
	}
	if s.Coreferrer == nil {
		s.Coreferrer = off
	}
	if s.Units == nil {
		s.Units = off
	}
	if s.Projector == nil {
		s.Projector = off
	}
	if s.Responder == nil {
		s.Responder = off
	}
	if s.Guard == nil {
		s.Guard = off
	}
	return s
}

func (o Options) host(s *memory.Store) memory.Host {
	if o.Host != nil {
		return o.Host(s)
	}
	return simple.NewWith(s, simple.Options{Writer: EntryWriter(s, o.Model)})
}

// settleHost is settle where nothing rests on it: what is left is done by the next
// question.
func (a *Agent) settleHost(ctx context.Context) {
	if err := settle(ctx, a.host); err != nil {
		a.log.Warn("the host has work left", "host", a.host.Name(), "error", err)
	}
}

// settle lets a host do what new sessions left it to do.
func settle(ctx context.Context, h memory.Host) error {
	if s, ok := h.(memory.Settler); ok {
		return s.Settle(ctx)
	}
	return nil
}

// Reindex makes the host's layers anew without a model, if they are another host's, and all vectors and
// index terms of a home with the embedder of opts. It opens the home by itself, also where the stored vectors are another
// model's. Progress is told how many texts are done.
func Reindex(ctx context.Context, home string, opts Options, progress func(done, total int)) error {
	if opts.Embedder == nil {
		opts.Embedder = thesaurus.Embedder{}
	}
	store, err := memory.Open(ctx, filepath.Join(home, DatabaseFile), memory.Options{Embedder: opts.Embedder, Reindexing: true})
	if err != nil {
		return err
	}
	host := opts.host(store)
	err = store.Recompose(ctx, memory.OfflineHost(host), nil)
	if err == nil {
		err = store.Reindex(ctx, opts.Embedder, progress)
	}
	if err == nil {
		err = settle(ctx, host)
	}
	return errors.Join(err, closeHost(host), store.Close())
}
