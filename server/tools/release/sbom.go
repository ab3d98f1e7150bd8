package main

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"github.com/spdx/tools-golang/spdx/v2/common"
	"github.com/spdx/tools-golang/spdx/v2/v2_3"

	"github.com/aptix-dev/aptix/server/tools/licenses"
)

// bill writes the bill of materials in the form SPDX 2.3. It lists everything that ships inside
// Aptix, with licenses.
func (r *release) bill(ctx context.Context) error {
	all, err := licenses.All(ctx, r.root)
	if err != nil {
		return err
	}
	name := "aptix-" + r.version + ".spdx.json"
	return r.create(name, func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(r.document(all))
	})
}

func (r *release) document(all []licenses.Dependency) *v2_3.Document {
	own := spdxPackage(licenses.Dependency{Name: "github.com/aptix-dev/aptix", Version: "v" + r.version, License: "MIT"})
	doc := &v2_3.Document{
		SPDXVersion: v2_3.Version, DataLicense: v2_3.DataLicense, SPDXIdentifier: "DOCUMENT",
		DocumentName:      "aptix-" + r.version,
		DocumentNamespace: "https://github.com/aptix-dev/aptix/releases/v" + r.version,
		CreationInfo: &v2_3.CreationInfo{
			Creators: []common.Creator{{CreatorType: "Organization", Creator: "The Aptix Authors"}},
			Created:  r.date.Format("2006-01-02T15:04:05Z"),
		},
		Packages:      []*v2_3.Package{own},
		Relationships: []*v2_3.Relationship{relation("DOCUMENT", "DESCRIBES", own.PackageSPDXIdentifier)},
	}
	for _, d := range all {
		p := spdxPackage(d)
		doc.Packages = append(doc.Packages, p)
		doc.Relationships = append(doc.Relationships, relation(own.PackageSPDXIdentifier, "CONTAINS", p.PackageSPDXIdentifier))
	}
	return doc
}

func relation(from common.ElementID, what string, to common.ElementID) *v2_3.Relationship {
	return &v2_3.Relationship{RefA: common.DocElementID{ElementRefID: from}, Relationship: what, RefB: common.DocElementID{ElementRefID: to}}
}

func spdxPackage(d licenses.Dependency) *v2_3.Package {
	return &v2_3.Package{
		PackageName:             d.Name,
		PackageVersion:          d.Version,
		PackageSPDXIdentifier:   common.ElementID("Package-" + spdxID(d.Name)),
		PackageDownloadLocation: "NOASSERTION",
		PackageLicenseConcluded: d.License,
		PackageLicenseDeclared:  d.License,
		PackageCopyrightText:    "NOASSERTION",
		PackageExternalReferences: []*v2_3.PackageExternalReference{
			{Category: "PACKAGE-MANAGER", RefType: "purl", Locator: d.PackageURL()},
		},
	}
}

// spdxID replaces the characters of a name that must not be in an identifier.
func spdxID(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' {
			return c
		}
		return '-'
	}, name)
}
