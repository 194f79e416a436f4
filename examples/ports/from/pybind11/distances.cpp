#include <cmath>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <vector>

using Matrix = std::vector<std::vector<double>>;

Matrix distances(const Matrix &points) {
  const std::size_t n = points.size();
  Matrix result(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < points[i].size(); ++k) {
        const double difference = points[i][k] - points[j][k];
        sum += difference * difference;
      }
      result[i][j] = std::sqrt(sum);
    }
  }
  return result;
}

PYBIND11_MODULE(distances, module) { module.def("distances", &distances); }
