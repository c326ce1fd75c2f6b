package agent

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// Names in the home folder.
const (
	PolicyFile   = "policy.yaml"
	DatabaseFile = "epagent.db"
)

// DefaultHome returns the home folder where none is given: EPAGENT_HOME, else
// "epagent" in the OS's folder for a user's data.
func DefaultHome() (string, error) {
	if dir := os.Getenv("EPAGENT_HOME"); dir != "" {
		return dir, nil
	}
	user, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("no home folder: %w; give one by --home or EPAGENT_HOME", err)
	}
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(user, "Library", "Application Support", "epagent"), nil
	case "windows":
		if dir := os.Getenv("LOCALAPPDATA"); dir != "" {
			return filepath.Join(dir, "epagent"), nil
		}
		return filepath.Join(user, "AppData", "Local", "epagent"), nil
	}
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "epagent"), nil
	}
	return filepath.Join(user, ".local", "share", "epagent"), nil
}

// WritePolicy writes a policy file into the home folder and makes the folder where
// it is missing, and returns the file's path. It refuses to overwrite: the error is fs.ErrExist then.
func WritePolicy(home string, source []byte) (path string, err error) {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return "", fmt.Errorf("make the home folder: %w", err)
	}
	path = filepath.Join(home, PolicyFile)
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("%s: %w; edit it, or move it away first", path, fs.ErrExist)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	tmp, err := os.CreateTemp(home, ".policy-*.yaml")
	if err != nil {
		return "", fmt.Errorf("write %s: %w", path, err)
	}
	defer os.Remove(tmp.Name()) // gone already when the link below succeeded
	if _, err := tmp.Write(source); err != nil {
		tmp.Close()
		return "", fmt.Errorf("write %s: %w", path, err)
	}
	if err := errors.Join(tmp.Sync(), tmp.Close()); err != nil {
		return "", fmt.Errorf("write %s: %w", path, err)
	}
	// A link fails where the name has come into being meanwhile; a rename would
	// overwrite it. Not every file system has links.
	if err := os.Link(tmp.Name(), path); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return "", fmt.Errorf("%s: %w; edit it, or move it away first", path, fs.ErrExist)
		}
		if err := os.Rename(tmp.Name(), path); err != nil {
			return "", fmt.Errorf("write %s: %w", path, err)
		}
	}
	return path, nil
}
