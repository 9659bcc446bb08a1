// A line through weighted points, by least squares as these come in.
#pragma once

namespace rope {

struct LineSums {
    double w = 0, x = 0, xx = 0, y = 0, xy = 0;

    void add(double at, double value, double weight) {
        w += weight;
        x += weight * at;
        xx += weight * at * at;
        y += weight * value;
        xy += weight * at * value;
    }
    // Times w.
    double spread() const { return w * xx - x * x; }
    double covariance() const { return w * xy - x * y; }
    double slope() const { return covariance() / spread(); }
    // At 0, of a line of this slope.
    double offset(double of_slope) const { return (y - of_slope * x) / w; }
    double at(double place, double of_slope) const { return offset(of_slope) + of_slope * place; }
};

}  // namespace rope
