// SPDX-License-Identifier: MIT
#pragma once

// Trigon in 20 lines, which a test compiles and runs:
//
//   Tensor a = tensor<float>({1, 2, 3, 4}, {2, 2});      // uploaded into a float texture
//   Tensor b = exp(a) + 1.0;                             // a graph: nothing runs yet
//   Tensor c = matmul(b, b.T());                         // NumPy's names and broadcasting
//   std::vector<float> values = c.to_vector<float>();    // plans, draws and reads back
//
//   Tensor row = c(0, Slice{0, 2});                      // c[0, 0:2]
//   Tensor d = c.at(0).set(row * 2.0);                   // a write makes a new tensor
//   Tensor total = sum(d, -1), best = argmax(d, 0);      // reductions over an axis
//   Tensor noise = random::normal(Scalar(7), {2, 2});    // random numbers are functions of a key
//   Tensor y = nn::softmax(nn::layer_norm(d + noise));   // networks, with PyTorch's names
//   Tensor dy = grad([](const Tensor& x) { return sum(square(x)); }, c);  // of any order
//
//   Scalar start(1);                                     // another value reuses the plan
//   Tensor one = y.at(Window{start, 1}).get();           // y[start:start + 1]
//   eval({total, best, one, dy});                        // several values in one plan
//   std::string text = explain(y);                       // the draws and their GLSL
//
//   save_safetensors("tour.safetensors", {{"c", c}});    // files
//   Tensor loaded = SafeTensors("tour.safetensors").load("c");
//   Device webgl1({.profile = Profile::webgl1});         // another device, or another profile
//   Tensor moved = loaded.to(webgl1) + 1.0;              // computed there

#include <trigon/config.hpp>

#if __cplusplus >= 202002L  // else the error of config.hpp is the only one
#include <trigon/aliases.hpp>
#include <trigon/axes.hpp>
#include <trigon/checkpoint.hpp>
#include <trigon/compile.hpp>
#include <trigon/create.hpp>
#include <trigon/custom_vjp.hpp>
#include <trigon/debug.hpp>
#include <trigon/device.hpp>
#include <trigon/dtype.hpp>
#include <trigon/error.hpp>
#include <trigon/future.hpp>
#include <trigon/grad.hpp>
#include <trigon/index.hpp>
#include <trigon/io.hpp>
#include <trigon/jacobian.hpp>
#include <trigon/join.hpp>
#include <trigon/jvp.hpp>
#include <trigon/kernel.hpp>
#include <trigon/linalg.hpp>
#include <trigon/logic.hpp>
#include <trigon/loop.hpp>
#include <trigon/math.hpp>
#include <trigon/nn.hpp>
#include <trigon/operators.hpp>
#include <trigon/print.hpp>
#include <trigon/random.hpp>
#include <trigon/reduce.hpp>
#include <trigon/result_type.hpp>
#include <trigon/scalar.hpp>
#include <trigon/shape.hpp>
#include <trigon/tensor.hpp>
#include <trigon/tree.hpp>
#include <trigon/values.hpp>
#include <trigon/vmap.hpp>
#endif
