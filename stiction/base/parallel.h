#pragma once

// Loops over many threads whose results do not depend on the number of threads.
//
//   parallel_for(pairs.size(), 16, [&](int i) { contacts[i] = collide(pairs[i]); });
//
// The n indices are cut into chunks by n and grain alone, never by the thread count. A loop whose calls write
// to places of their own has the same result, bit for bit, with 1 thread and with 64; sum afterwards, in
// order.
//
// - A loop of one chunk, a loop inside another loop, and a loop begun while another thread's loop runs are
//   run by the caller alone: choose the grain so that a chunk takes some ten microseconds.
// - Of the exceptions thrown, the one of the lowest index reaches the caller.
// - A call allocates nothing.
// - One thread until set_thread_count: a process per core is as common as a thread per core.

#include <algorithm>

namespace stiction {

// The caller is one of the threads. 0 means one per hardware thread. Not to be called inside a parallel loop.
void set_thread_count(int threads);
int thread_count();

// A reference to something callable with the number of a chunk; lives as long as what it refers to.
class ChunkFunction {
 public:
  template <class Function>
  explicit ChunkFunction(Function* function)
      : object_(function), call_([](void* object, int chunk) { (*static_cast<Function*>(object))(chunk); }) {}
  void operator()(int chunk) const { call_(object_, chunk); }

 private:
  void* object_;
  void (*call_)(void* object, int chunk);
};

// Calls function(0), ..., function(chunks - 1), each once, in any order.
void run_chunks(int chunks, ChunkFunction function);

// Calls function(i) for i = 0, ..., n - 1. Each chunk of `grain` neighbours runs in order on one thread.
template <class Function>
void parallel_for(int n, int grain, const Function& function) {
  grain = std::max(grain, 1);
  const int chunks = n <= 0 ? 0 : (n - 1) / grain + 1;
  auto run_chunk = [n, grain, &function](int chunk) {
    const int begin = chunk * grain;
    const int end = begin + std::min(grain, n - begin);
    for (int i = begin; i < end; ++i) function(i);
  };
  run_chunks(chunks, ChunkFunction(&run_chunk));
}

}  // namespace stiction
