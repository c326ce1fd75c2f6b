package tools

import "errors"

// addTools gives the server the tools of its principal. What isn't added can
// neither be listed nor called.
func (s *Server) addTools() error {
	switch s.principal.kind {
	case owner:
		return errors.Join(
			addTool(s, rememberTool(s)),
			addTool(s, recallTool(s.verbs)),
			addTool(s, discloseTool(s.verbs)),
			addTool(s, partitionTool(s.verbs)),
			addTool(s, policyTool(s)),
			addTool(s, reviewTool(s)),
			addTool(s, forgetTool(s)),
			addTool(s, ledgerTool(s)),
			addTool(s, importTool(s)),
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
