// A diagnosis starts at most the allowed number of threads.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <cmath>

#include "rope/session/session.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/specs.hpp"

namespace {
std::atomic<int> threads_started{0};
}  // namespace

// Replaces the C library's function, and calls it.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*run)(void*), void* argument) {
    ++threads_started;
    using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
    return create(thread, attributes, run, argument);
}

namespace rope::diagnose_threads_test {

int threads_started_for(unsigned threads) {
    const Spec asked = spec_of(8, 10000);
    const Dump dump =
        TableDump(table_of_angles(counted(6000), 4, Format::float32, [](double m, std::uint32_t i) {
            return m * std::pow(500000.0, -2.0 * i / 8);
        }));
    SessionOptions options;
    options.only = {"table-accuracy"};
    options.threads = threads;
    threads_started = 0;
    EXPECT_EQ(compare(asked, dump, {}, options).diagnosis.at(0).mistake, "base");
    return threads_started;
}

TEST(DiagnosisThreads, AreNoMoreThanWereAskedFor) {
    EXPECT_EQ(threads_started_for(1), 0);
    EXPECT_GT(threads_started_for(3), 0);
}

}  // namespace rope::diagnose_threads_test
