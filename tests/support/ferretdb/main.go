// Command ferretdb runs FerretDB, a server of MongoDB's wire protocol, for the tests of jobs on MongoDB.
//
// It writes its URI as one line to standard output, and runs until it receives SIGTERM. It also exits when standard
// input ends, so that no server outlives killed tests.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:0", "address and port; the system chooses port 0")
	data := flag.String("data", "", "existing folder for the SQLite databases")
	flag.Parse()
	if err := run(*listen, *data); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(listen, data string) error {
	// The package disables telemetry itself.
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: listen},
		Logger:    slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
		Handler:   "sqlite",
		SQLiteURL: "file:" + data + "/",
	})
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	// The address is known only when the server runs.
	go func() { fmt.Println(server.MongoDBURI()) }()
	return server.Run(ctx)
}
