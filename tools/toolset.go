package tools

import "errors"

// addTools gives the server the tools of its principal. What isn't added can
// neither be listed nor called.
func (s *Server) addTools() error {
	switch s.principal.kind {
	case owner:
		return errors.Join(
			addTool(s, rememberTool(s.verbs)),
			addTool(s, recallTool(s.verbs)),
			addTool(s, discloseTool(s.verbs)),
			addTool(s, partitionTool(s.verbs)),
		)
	case recipient:
		return errors.Join(
			addTool(s, askTool(s)),
			addTool(s, leaveTool(s)),
		)
	default:
		return ErrNoPrincipal
	}
}
