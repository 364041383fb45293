// SPDX-License-Identifier: MIT
#include "../main.cpp"
