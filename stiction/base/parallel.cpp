#include "stiction/base/parallel.h"

#include <atomic>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "stiction/base/check.h"

namespace stiction {
namespace {

thread_local bool inside_parallel_loop = false;

// Of all failed chunks, the one with the lowest number.
class LowestFailure {
 public:
  // Chunks after a failed one need not run: their exception would be dropped.
  bool is_before(int chunk) const { return chunk_.load(std::memory_order_relaxed) < chunk; }

  void run(int chunk, const ChunkFunction& function) {
    if (is_before(chunk)) return;
    try {
      function(chunk);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (is_before(chunk)) return;
      chunk_.store(chunk, std::memory_order_relaxed);
      exception_ = std::current_exception();
    }
  }

  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::atomic<int> chunk_ = std::numeric_limits<int>::max();
  std::mutex mutex_;
  std::exception_ptr exception_;
};

void run_serially(int chunks, const ChunkFunction& function) {
  for (int chunk = 0; chunk < chunks; ++chunk) function(chunk);
}

// Threads that wait for loops. One loop runs at a time; its caller takes chunks too.
class ThreadPool {
 public:
  explicit ThreadPool(int threads) {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
  }

  ~ThreadPool() {
    stopping_.store(true, std::memory_order_relaxed);
    wake_workers();
    for (std::thread& worker : workers_) worker.join();
  }

  int thread_count() const { return static_cast<int>(workers_.size()) + 1; }

  void run(int chunks, const ChunkFunction& function) {
    LowestFailure failure;
    function_ = &function;
    failure_ = &failure;
    chunks_ = chunks;
    unfinished_.store(chunks, std::memory_order_relaxed);
    // Publishes all of the above; from here on workers may claim chunks.
    const std::uint64_t loop = (tickets_.load(std::memory_order_relaxed) >> 32) + 1;
    tickets_.store(loop << 32 | static_cast<std::uint32_t>(chunks), std::memory_order_release);
    wake_workers();

    run_claimed_chunks();
    for (int left; (left = unfinished_.load(std::memory_order_acquire)) > 0;) {
      unfinished_.wait(left, std::memory_order_acquire);
    }
    failure.rethrow();
  }

 private:
  // A worker may wake late, when its loop is over and the next has begun. The ticket holds the number of the
  // loop (high half) and of the chunks nobody has claimed (low half), so a claim succeeds only in the loop it
  // was read in; and until a claimed chunk is finished the loop cannot end, so what it points to stays valid.
  void run_claimed_chunks() {
    inside_parallel_loop = true;
    std::uint64_t ticket = tickets_.load(std::memory_order_acquire);
    while (static_cast<std::uint32_t>(ticket) > 0) {
      if (!tickets_.compare_exchange_weak(ticket, ticket - 1, std::memory_order_acquire)) continue;
      const int chunk = chunks_ - static_cast<int>(static_cast<std::uint32_t>(ticket));
      failure_->run(chunk, *function_);
      if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1) unfinished_.notify_one();
      ticket = tickets_.load(std::memory_order_acquire);
    }
    inside_parallel_loop = false;
  }

  void work() {
    while (true) {
      const std::uint32_t seen = wakes_.load(std::memory_order_acquire);
      if (stopping_.load(std::memory_order_relaxed)) return;
      run_claimed_chunks();
      wakes_.wait(seen, std::memory_order_acquire);
    }
  }

  void wake_workers() {
    wakes_.fetch_add(1, std::memory_order_release);
    wakes_.notify_all();
  }

  // The current loop.
  const ChunkFunction* function_ = nullptr;
  LowestFailure* failure_ = nullptr;
  int chunks_ = 0;
  std::atomic<std::uint64_t> tickets_ = 0;
  std::atomic<int> unfinished_ = 0;

  std::atomic<std::uint32_t> wakes_ = 0;
  std::atomic<bool> stopping_ = false;
  std::vector<std::thread> workers_;
};

// The pool of the process, and the lock for its use.
struct SharedPool {
  std::mutex mutex;
  std::atomic<int> threads = 1;
  std::unique_ptr<ThreadPool> pool;  // none while one thread is enough
};

SharedPool& shared_pool() {
  static SharedPool shared;
  return shared;
}

}  // namespace

void set_thread_count(int threads) {
  STICTION_ASSERT(!inside_parallel_loop);
  STICTION_USER_CHECK(threads >= 0, "thread count {} must not be negative", threads);
  if (threads == 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  SharedPool& shared = shared_pool();
  const std::lock_guard lock(shared.mutex);
  if (threads == shared.threads) return;
  shared.pool = threads > 1 ? std::make_unique<ThreadPool>(threads) : nullptr;
  shared.threads = threads;
}

int thread_count() { return shared_pool().threads; }

void run_chunks(int chunks, ChunkFunction function) {
  SharedPool& shared = shared_pool();
  if (chunks > 1 && shared.threads > 1 && !inside_parallel_loop) {
    const std::unique_lock lock(shared.mutex, std::try_to_lock);
    if (lock && shared.pool) return shared.pool->run(chunks, function);
  }
  run_serially(chunks, function);
}

}  // namespace stiction
