// SPDX-License-Identifier: MIT
#pragma once

// Trigon in 20 lines:
//
//   Tensor a = tensor<float>({1, 2, 3, 4}, {2, 2});      // uploaded to a float texture
//   Tensor b = exp(a) + 1.0;                              // a graph; nothing runs yet
//   Tensor c = matmul(b, b.T());                          // NumPy's names and broadcasting
//   std::vector<float> v = c.to_vector<float>();          // plans, draws and reads back
//
//   b.at(0, Slice{0, 1}).get()                            // basic indexing; .set(v) makes a new
//   tensor sum(c, -1), argmax(c, 0), mean(c)                     // reductions nn::softmax(c),
//   nn::layer_norm(c)                     // networks, in nn.hpp grad([](const Tensor& x) { return
//   sum(x * x); }, c)   // gradients of any order Scalar pos(3); c.at(Window{pos, 2}).get() //
//   run-time numbers make no new plan explain(c)                                            // the
//   draws and their GLSL Device d{{.profile = Profile::webgl1}};               // another device,
//   or the other profile SafeTensors("model.safetensors").load("wte.weight")   // files

#include <trigon/config.hpp>
#include <trigon/debug.hpp>
#include <trigon/device.hpp>
#include <trigon/dtype.hpp>
#include <trigon/error.hpp>
#include <trigon/grad.hpp>
#include <trigon/io.hpp>
#include <trigon/nn.hpp>
#include <trigon/op.hpp>
#include <trigon/ops/binary.hpp>
#include <trigon/ops/bitwise.hpp>
#include <trigon/ops/contract.hpp>
#include <trigon/ops/index.hpp>
#include <trigon/ops/reduce.hpp>
#include <trigon/ops/trigonometric.hpp>
#include <trigon/ops/unary.hpp>
#include <trigon/ops/view.hpp>
#include <trigon/random.hpp>
#include <trigon/shape.hpp>
#include <trigon/tensor.hpp>
