// Runs rotate() through rope-check's conformance suite, and the wrong answers that it must reject.
// go run suite.go DIR/vectors.safetensors    exit code 1 if rotate() is wrong
package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
)

var dtypes = []string{"float64", "float32", "bfloat16", "float16"} // rotate() answers the last three

const angles = "angle/double" // how exact its angles are: one of manifest.json's

type Case map[string][]float64 // arrays by name

// The two dimensions that pair k of all rows reads, the two that it writes, and its axis.
func (c Case) pair(k int, back bool) (a, b, to, and, axis int) {
	pairs, width := len(c["inv_freq"]), int(c["shape"][1])
	at, row := c["pairs"][k%pairs*5:], k/pairs*width
	a, b, to, and = row+int(at[0]), row+int(at[1]), row+int(at[2]), row+int(at[3])
	if back {
		a, b, to, and = to, and, a, b
	}
	return a, b, to, and, int(at[4])
}

// R(m)x of every row or, of a gradient, R(m)^T x, in float32. Replace it by yours.
func rotate(c Case, x []float64, back bool) []float64 {
	y, pairs, factor := append([]float64{}, x...), len(c["inv_freq"]), float32(c["attention_factor"][0])
	for k := range c[angles] {
		a, b, to, and, axis := c.pair(k, back)
		m := float32(c["positions"][axis*int(c["shape"][0])+k/pairs])
		sin, cos := math.Sincos(float64(m * float32(c["inv_freq"][k%pairs])))
		if back {
			sin = -sin
		}
		cs, sn, x1, x2 := factor*float32(cos), factor*float32(sin), float32(x[a]), float32(x[b])
		y[to], y[and] = float64(x1*cs-x2*sn), float64(x2*cs+x1*sn)
	}
	return y
}

func holds(c Case, dtype int, input string, want, y []float64) bool { // not so of NaN
	x, tolerance, good := c[input], make([]float64, len(want)), true
	for k, angle := range c[angles] {
		a, b, to, and, _ := c.pair(k, input == "dy")
		tolerance[to] = math.Hypot(x[a], x[b]) * (angle + c["rounding"][dtype])
		tolerance[and] = tolerance[to]
	}
	for k := range want {
		good = good && math.Abs(y[k]-want[k]) <= tolerance[k]
	}
	return good
}

func number(kind string, at []byte) float64 {
	word := binary.LittleEndian
	switch kind {
	case "F64":
		return math.Float64frombits(word.Uint64(at))
	case "I32":
		return float64(int32(word.Uint32(at)))
	case "F32":
		return float64(math.Float32frombits(word.Uint32(at)))
	case "BF16":
		return float64(math.Float32frombits(uint32(word.Uint16(at)) << 16))
	} // F16
	half := uint32(word.Uint16(at))
	return float64(math.Float32frombits(half&0x8000<<16|half&0x7fff<<13)) * 0x1p112
}

func main() {
	bytes, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	start := 8 + int(binary.LittleEndian.Uint64(bytes))
	header := map[string]struct {
		Dtype   string
		Offsets [2]int `json:"data_offsets"`
	}{}
	if err := json.Unmarshal(bytes[8:start], &header); err != nil {
		panic(err)
	}
	cases, tests, failed := map[string]Case{}, 0, 0
	for name, array := range header {
		if id, of, found := strings.Cut(name, "/"); found {
			if cases[id] == nil {
				cases[id] = Case{}
			}
			size := map[string]int{"F64": 8, "F32": 4, "I32": 4, "BF16": 2, "F16": 2}[array.Dtype]
			for at := start + array.Offsets[0]; at < start+array.Offsets[1]; at += size {
				cases[id][of] = append(cases[id][of], number(array.Dtype, bytes[at:]))
			}
		}
	}
	for id, c := range cases {
		for name, y := range c {
			for dtype, of := range dtypes {
				parts := strings.Split(name, "/") // DTYPE/OUTPUT or DTYPE/OUTPUT/wrong/MISTAKE
				if dtype == 0 || parts[0] != of {
					continue
				}
				input, word, wrong := map[string]string{"q_rot": "q", "k_rot": "k", "dx": "dy"}[parts[1]], "FAIL", len(parts) > 2
				if wrong {
					word = "ACCEPTED"
				} else {
					y = rotate(c, c[input], input == "dy")
				}
				if tests++; holds(c, dtype, input, c[parts[0]+"/"+parts[1]], y) == wrong {
					failed++
					fmt.Printf("%s %s/%s\n", word, id, name)
				}
			}
		}
	}
	fmt.Printf("%d tests, %d failed\n", tests, failed)
	if failed > 0 {
		os.Exit(1)
	}
}
