#include "rope/columns/inscribed_octagons.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace rope {

InscribedOctagons::InscribedOctagons(std::size_t pairs) {
    centre_u_.resize(pairs);
    centre_y_.resize(pairs);
    octagons_.centre_u = centre_u_.data();
    octagons_.centre_y = centre_y_.data();
    for (std::size_t e = 0; e < Octagons::edges; ++e) {
        normal_u_[e].assign(pairs, std::nan(""));
        normal_y_[e].assign(pairs, std::nan(""));
        octagons_.normal_u[e] = normal_u_[e].data();
        octagons_.normal_y[e] = normal_y_[e].data();
    }
}

void InscribedOctagons::set_edge(std::size_t e, std::size_t i, double normal_u, double normal_y) {
    normal_u_[e][i] = normal_u;
    normal_y_[e][i] = normal_y;
}

void InscribedOctagons::set_rectangle(std::size_t i, double half_u, double centre_y,
                                      double half_y) {
    centre_u_[i] = 0;
    centre_y_[i] = centre_y;
    for (std::size_t e = 0; e < Octagons::edges; ++e) set_edge(e, i, 0, 0);
    set_edge(0, i, 1 / half_u, 0);
    set_edge(1, i, -1 / half_u, 0);
    set_edge(2, i, 0, 1 / half_y);
    set_edge(3, i, 0, -1 / half_y);
}

void InscribedOctagons::inscribe(std::size_t i, std::span<const PlanePoint> ring) {
    const auto [low_u, high_u] = std::minmax_element(
        ring.begin(), ring.end(), [](const auto& a, const auto& b) { return a.u < b.u; });
    const auto [low_y, high_y] = std::minmax_element(
        ring.begin(), ring.end(), [](const auto& a, const auto& b) { return a.y < b.y; });
    if (ring.size() < 3) return;
    const double size_u = high_u->u - low_u->u, size_y = high_y->y - low_y->y;
    if (!(size_u > 0) || !(size_y > 0)) return;
    static constexpr double directions[Octagons::edges][2] = {
        {1, 0}, {0.5, 1}, {0, 1}, {-0.5, 1}, {-1, 0}, {-0.5, -1}, {0, -1}, {0.5, -1}};
    std::array<const PlanePoint*, Octagons::edges> corner{};
    std::array<double, Octagons::edges> reach;
    reach.fill(-HUGE_VAL);
    for (const PlanePoint& v : ring)
        for (std::size_t e = 0; e < Octagons::edges; ++e) {
            const double r = directions[e][0] * (v.u / size_u) + directions[e][1] * (v.y / size_y);
            const bool is_further = r > reach[e];
            reach[e] = is_further ? r : reach[e];
            corner[e] = is_further ? &v : corner[e];
        }
    double sum_u = 0, sum_y = 0;
    for (const PlanePoint* v : corner) {
        sum_u += v->u;
        sum_y += v->y;
    }
    centre_u_[i] = sum_u / Octagons::edges;
    centre_y_[i] = sum_y / Octagons::edges;
    for (std::size_t e = 0; e < Octagons::edges; ++e) {
        const PlanePoint &a = *corner[e], &b = *corner[(e + 1) % Octagons::edges];
        const double nu = b.y - a.y, ny = a.u - b.u;  // outward of a counter-clockwise edge
        const double offset = nu * (a.u - centre_u_[i]) + ny * (a.y - centre_y_[i]);
        // two corners that coincide make no edge; a centre on an edge leaves nothing inside
        const bool coincide = nu == 0 && ny == 0;
        const double per = coincide ? 0 : offset > 0 ? 1 / offset : std::nan("");
        set_edge(e, i, nu * per, ny * per);
    }
}

}  // namespace rope
