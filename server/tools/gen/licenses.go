package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/tools/licenses"
)

const licensesHead = `<!-- Generated from go.mod and package-lock.json by ` + "`make gen`" + `. Do not edit. -->

# Licenses

Aptix has the [MIT license](../LICENSE). The program also contains the standard library of Go (BSD-3-Clause) and these modules,
and the extension's bundle contains these npm packages. The same list is in the release as an SPDX bill of materials.

| Module or package | Version | License |
| --- | --- | --- |
`

func renderLicenses(root, _ string) (string, error) {
	all, err := licenses.All(context.Background(), root)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(licensesHead)
	for _, d := range all {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", d.Name, d.Version, d.License)
	}
	return b.String(), nil
}
