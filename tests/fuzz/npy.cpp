// SPDX-License-Identifier: MIT
#include "io/npy.hpp"

#include "io/text.hpp"
#include "target.hpp"

// A NumPy file. If it loads, it is saved and loaded again.

void trigon::fuzz::run(Bytes bytes) {
  allow_errors([&] {
    const io::NpyArray array = io::parse_npy(std::as_bytes(bytes), "memory");
    const auto size = io::byte_count(array.shape, size_of(array.dtype));
    require(size == array.data.size(), "data fit the shape");
    static const Folder folder;
    const auto path = folder.path() / "again.npy";
    io::save_npy(path, array.dtype, array.shape, array.data);
    const io::NpyArray again = io::load_npy(path);
    require(again.dtype == array.dtype && again.shape == array.shape, "a saved array is the same");
    require(again.data == array.data, "saved data are the same");
  });
}
