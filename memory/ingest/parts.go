package ingest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// texts are the kinds of files that an export's words are in. All else in a zip
// or folder is something attached.
var texts = wordSet(".txt .json .jsonl .ndjson .md .markdown .mbox .eml .csv .ics .ical .vcf .vcard")

// mains are names that an app gives to the one file with the words. Other texts
// beside it were attached to messages: somebody else's chat, sent as a file, is
// no chat of the owner. WhatsApp's beside its main one are looked at, see oneOf.
var mains = []string{waMain, "result.json", "conversations.json", "main.jsonl", "chat.md", "chat.db"}

// waMain is what iPhones call the text of a chat in its zip.
const waMain = "_chat.txt"

// recogniseParts looks into a zip or folder. Where a main file is known, it (or
// each of them, one a chat) is the export; else the texts of the first format,
// in the order of readers, that knows any. Notes are not looked for: any text
// could be one.
func recogniseParts(ctx context.Context, src *source, o Options) (reader, []*source, error) {
	candidates := candidateParts(src)
	if len(candidates) == 0 {
		for _, name := range src.in.names {
			if strings.EqualFold(path.Ext(name), ".zip") {
				return nil, nil, fmt.Errorf("read %s: %w: its text is in another archive, %s; unpack it and import that", src.name, ErrFormat, path.Base(name))
			}
		}
		return nil, nil, fmt.Errorf("read %s: %w: no text of an export in it; known formats are %s", src.name, ErrFormat, strings.Join(Formats(), ", "))
	}
	if len(candidates) > maxParts {
		return nil, nil, fmt.Errorf("read %s: %w: %d texts in it, more than %d; import them in parts", src.name, ErrFormat, len(candidates), maxParts)
	}
	found := make([][]*source, len(readers))
	for _, name := range candidates {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		part, err := src.part(name)
		if err != nil && beside(candidates, name) && !errors.Is(err, ErrHostile) {
			continue // it is named as left out
		}
		if err != nil {
			return nil, nil, fmt.Errorf("read %s: %w", src.name, err)
		}
		for i, r := range readers {
			if _, notes := r.(notesReader); notes || !r.sniff(part, o) || beside(candidates, name) && r.name() != whatsAppFormat {
				continue
			}
			found[i] = append(found[i], part)
			break
		}
		part.head = nil
	}
	for i, r := range readers {
		parts := found[i]
		if len(parts) == 0 {
			continue
		}
		if len(parts) > 1 {
			one, err := oneOf(ctx, r, src, parts)
			if err != nil {
				return nil, nil, err
			}
			parts = one
		}
		for _, p := range parts {
			named(p, src)
		}
		src.unread = unreadOf(src, candidates, parts)
		return r, parts, nil
	}
	return nil, nil, fmt.Errorf("read %s: %w: no known format in it; known are %s", src.name, ErrFormat, strings.Join(Formats(), ", "))
}

// bigMember is from how many bytes a file of a zip or folder is named in the report where
// it isn't read, whatever it is; pictures, sounds and films are attachments.
const bigMember = 64 << 20

// unreadOf are the files that may hold words and aren't read.
func unreadOf(src *source, candidates []string, parts []*source) []string {
	read := map[string]bool{}
	for _, p := range parts {
		read[p.member] = true
	}
	var out []string
	for _, name := range src.in.names {
		if read[name] || !slices.Contains(candidates, name) && (src.in.sizeOf(name) < bigMember || typeByExtension(path.Ext(name)) != "document") {
			continue
		}
		out = append(out, name)
	}
	return out
}

// tellUnread reports them.
func (s *source) tellUnread(b *builder) {
	for _, name := range s.unread {
		b.left(Skip{File: name, Reason: fmt.Sprintf("no chat of this export (%d bytes); left out", s.in.sizeOf(name))})
	}
}

func candidateParts(src *source) []string {
	for _, main := range mains {
		var out []string
		for _, name := range src.in.names {
			if path.Base(name) == main {
				out = append(out, name)
			}
		}
		if len(out) > 0 && main == waMain {
			for _, name := range src.in.names {
				if path.Base(name) != main && strings.EqualFold(path.Ext(name), ".txt") {
					out = append(out, name)
				}
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	var out []string
	for _, name := range src.in.names {
		if texts[strings.ToLower(path.Ext(name))] {
			out = append(out, name)
		}
	}
	return out
}

// beside reports whether a text isn't WhatsApp's main one, and another is.
func beside(candidates []string, name string) bool {
	return path.Base(candidates[0]) == waMain && path.Base(name) != waMain
}

// oneOf settles several texts of one format. Formats with a file a chat are all
// read. So are those of WhatsApp's that bear the name of a chat of their own, or the
// archive's, and in a folder the others. One that a message of another has attached is
// somebody else's.
func oneOf(ctx context.Context, r reader, src *source, parts []*source) ([]*source, error) {
	if r.name() != whatsAppFormat {
		return parts, nil
	}
	attached, err := attachedIn(ctx, src, parts)
	if err != nil {
		return nil, err
	}
	main := slices.ContainsFunc(parts, func(p *source) bool { return p.name == waMain })
	chats := map[string]bool{}
	var out []*source
	for _, first := range []bool{true, false} { // the archive's own before others
		for _, p := range parts {
			own := p.name == waMain || p.stem() == src.stem()
			if own != first {
				continue
			}
			stem := p.stem()
			if p.name == waMain {
				stem = chatOf(p, src)
			}
			title, ok := waTitle(stem)
			switch {
			case own:
			case attached[p.name], chats[title] && (main || !src.dir), !ok && (main || !src.dir):
				continue
			}
			chats[title] = ok
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("read %s: %w: several chats in it, and none bears its name; import them one by one", src.name, ErrFormat)
	}
	slices.SortFunc(out, func(a, b *source) int { return strings.Compare(a.member, b.member) })
	return out, nil
}

// attachedIn returns which of the texts are named in another of them.
func attachedIn(ctx context.Context, src *source, parts []*source) (map[string]bool, error) {
	out := map[string]bool{}
	for _, p := range parts {
		r, err := p.openText()
		if err == nil {
			err = eachPiece(ctx, r, func(piece []byte) {
				if !bytes.Contains(piece, []byte(".txt")) {
					return
				}
				for _, other := range parts {
					if other != p && bytes.Contains(piece, []byte(other.name)) {
						out[other.name] = true
					}
				}
			})
			_ = r.Close()
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", src.name, err)
		}
	}
	return out, nil
}

// eachPiece hands over the lines of a text, an overlong one in parts.
func eachPiece(ctx context.Context, r io.Reader, f func([]byte)) error {
	in := bufio.NewReaderSize(r, headSize)
	for {
		piece, err := in.ReadSlice('\n')
		f(piece)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		}
	}
}

// named tells a text with an app's own file name what its chat is called after:
// its folder, else the archive.
func named(p, src *source) {
	if slices.Contains(mains, p.name) {
		p.chat = chatOf(p, src)
	}
}

func chatOf(p, src *source) string {
	if dir := path.Base(path.Dir(p.member)); dir != "." && dir != "/" {
		return dir
	}
	return src.stem()
}

// fill reads the head again: it was let go so that many parts don't add up.
func (s *source) fill() error {
	if s.member == "" || s.head != nil {
		return nil
	}
	again, err := s.part(s.member)
	if err != nil {
		return err
	}
	s.head, s.charset = again.head, again.charset
	return nil
}

// let lets go of what fill has read.
func (s *source) let() {
	if s.member != "" {
		s.head = nil
	}
}
