// The -eval mode: one script in a bare goja runtime with console, Buffer and timers, for engine comparisons.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/buffer"
	"github.com/dop251/goja_nodejs/console"
	"github.com/dop251/goja_nodejs/eventloop"
	"github.com/dop251/goja_nodejs/require"
)

// linePrinter sends console output to two streams.
type linePrinter struct{ out, err io.Writer }

func (p linePrinter) Log(text string)   { fmt.Fprintln(p.out, text) }
func (p linePrinter) Warn(text string)  { fmt.Fprintln(p.err, text) }
func (p linePrinter) Error(text string) { fmt.Fprintln(p.err, text) }

// evalScript returns the exit code: 0, or 1 when the script cannot be read, parsed or throws.
func evalScript(file string, out, errOut io.Writer) int {
	source, err := os.ReadFile(file)
	if err != nil {
		fmt.Fprintln(errOut, err)
		return 1
	}
	registry := require.NewRegistry()
	registry.RegisterNativeModule(console.ModuleName, console.RequireWithPrinter(linePrinter{out, errOut}))
	loop := eventloop.NewEventLoop(eventloop.WithRegistry(registry))
	code := 0
	loop.Run(func(vm *goja.Runtime) {
		buffer.Enable(vm)
		if _, err := vm.RunScript(file, string(source)); err != nil {
			fmt.Fprintln(errOut, describe(err))
			code = 1
		}
	})
	return code
}

// describe prints an exception with its stack.
func describe(err error) string {
	if exception, ok := err.(*goja.Exception); ok {
		return exception.String()
	}
	return err.Error()
}
