package main

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// The layout of the chart in pixels. There is room for the numbers of the axes on the left and
// below, and for the names of the curves above.
const (
	chartWidth, chartHeight     = 720, 480
	chartLeft, chartRight       = 60, 20
	chartTop, chartBottom       = 140, 40
	chartLine, chartNumberShift = 20, 16
)

// colors are distinguishable on light and dark pages, and with red-green color blindness.
var colors = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"}

// A scale turns numbers into pixels by their logarithms.
type scale struct{ least, most, from, to float64 }

func (s scale) at(v float64) float64 {
	return s.from + (s.to-s.from)*math.Log(v/s.least)/math.Log(s.most/s.least)
}

// powers returns the powers of ten on a scale.
func (s scale) powers() (all []float64) {
	for v := math.Pow(10, math.Ceil(math.Log10(s.least))); v <= s.most; v *= 10 {
		all = append(all, v)
	}
	return all
}

// chart draws curves as an SVG. Both axes are logarithmic: a curve that is parallel to the
// dashed lines is linear.
func chart(names []string, all [][]point) string {
	x, y := scales(all)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" fill="#777">`+"\n", chartWidth, chartHeight)
	fmt.Fprintf(&b, "<title>Processor time against size</title>\n")
	for _, v := range x.powers() {
		fmt.Fprintf(&b, `<text x="%.0f" y="%d" text-anchor="middle">%g</text>`+"\n", x.at(v), chartHeight-chartBottom+chartNumberShift, v)
	}
	for _, v := range y.powers() {
		fmt.Fprintf(&b, `<text x="%d" y="%.0f" text-anchor="end">%g ms</text>`+"\n", chartLeft-6, y.at(v)+4, v)
	}
	for v := x.least / x.most * y.least; v < y.most; v *= 10 { // the dashed lines show linear growth
		fmt.Fprintf(&b, `<path d="%s" stroke="#999" stroke-dasharray="2 4" fill="none"/>`+"\n", linear(x, y, v))
	}
	for i, points := range all {
		color := colors[i%len(colors)]
		var line []string
		for _, p := range points {
			line = append(line, fmt.Sprintf("%.1f,%.1f", x.at(p.size), y.at(p.ms)))
		}
		fmt.Fprintf(&b, `<polyline points="%s" stroke="%s" stroke-width="2" fill="none"/>`+"\n", strings.Join(line, " "), color)
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", chartLeft, chartLine*(i+1), color, html.EscapeString(names[i]))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// linear returns the path of a line of linear growth. It begins with a time at the smallest size
// and ends where the chart ends.
func linear(x, y scale, ms float64) string {
	from, to := x.least, x.most
	if ms < y.least {
		from, ms = from*y.least/ms, y.least
	}
	if end := ms * to / from; end > y.most {
		to = from * y.most / ms
	}
	return fmt.Sprintf("M%.1f %.1fL%.1f %.1f", x.at(from), y.at(ms), x.at(to), y.at(ms*to/from))
}

func scales(all [][]point) (x, y scale) {
	x = scale{math.Inf(1), 0, chartLeft, chartWidth - chartRight}
	y = scale{math.Inf(1), 0, chartHeight - chartBottom, chartTop}
	for _, points := range all {
		for _, p := range points {
			x.least, x.most = min(x.least, p.size), max(x.most, p.size)
			y.least, y.most = min(y.least, p.ms), max(y.most, p.ms)
		}
	}
	return x, y
}
