#include "base/rank_tasks.hpp"

#include <stdexcept>
#include <thread>
#include <utility>

#include "base/dispatch.hpp"
#include "base/tasks.hpp"

namespace rope {
namespace {

// The first byte of a message.
enum Kind : char {
    performs = 't',
    result = 'r',
    failed = 'f',
    over = 'o',  // followed by all results
    abandoned = 'a',
};
Bytes message(Kind kind, const Bytes& bytes = {}) { return Bytes(1, kind) + bytes; }

void append(Bytes& text, const Bytes& part) { text += to_bytes(part.size()) + part; }

Bytes part_of(const Bytes& text, std::size_t& at) {
    const auto size = value_of<std::size_t>(text.substr(at, sizeof(std::size_t)));
    at += sizeof size + size;
    return text.substr(at - size, size);
}

// Sends all results, or `abandoned` after a failure, to the other ranks.
void tell_all(Ranks& ranks, const Dispatch& dispatch) {
    Bytes text = message(abandoned);
    if (!dispatch.failure()) {
        text = message(over);
        for (const TaskResult& each : dispatch.results())
            append(text, each.task), append(text, each.result);
    }
    for (unsigned rank = 1; rank < ranks.size(); ++rank) ranks.send(rank, text);
}

// Runs on rank 0: gives each other rank one task at a time until no task is left.
void give_out(Ranks& ranks, Dispatch& dispatch) {
    std::vector<std::optional<Bytes>> given(ranks.size());
    while (!dispatch.is_over()) {
        bool is_idle = true;
        while (const auto message = ranks.receive()) {
            is_idle = false;
            auto task = std::exchange(given.at(message->from), std::nullopt);
            if (message->bytes.front() == result)
                dispatch.take(*task, message->bytes.substr(1));
            else
                dispatch.perform(*task);  // throws the same error on rank 0
        }
        for (unsigned rank = 1; rank < ranks.size(); ++rank) {
            if (given[rank]) continue;
            given[rank] = dispatch.next_now();
            if (!given[rank]) continue;
            is_idle = false;
            ranks.send(rank, message(performs, *given[rank]));
        }
        if (is_idle) ranks.rest();
    }
}

// Returns the result, or `failed`; rank 0 then performs the task again to get the error.
Bytes answer_to(const Bytes& task, TaskSource& source) {
    try {
        return message(result, perform_task(source, task));
    } catch (const std::exception&) {
        return message(failed);
    }
}

// Runs on the other ranks until rank 0 sends all results.
void serve(Ranks& ranks, TaskSource& source) {
    for (;;) {
        const auto asked = ranks.receive();
        if (!asked) {
            ranks.rest();
            continue;
        }
        const Bytes text = asked->bytes.substr(1);
        if (asked->bytes.front() == abandoned) {
            ranks.is_abandoned = true;
            throw std::runtime_error("rank 0 gave up");
        }
        if (asked->bytes.front() == over) {
            for (std::size_t at = 0; at < text.size();) {
                const Bytes task = part_of(text, at);
                source.take(task, part_of(text, at));
            }
            return;
        }
        ranks.send(0, answer_to(text, source));
    }
}

}  // namespace

void perform_over(Ranks& ranks, TaskSource& source, TaskLog* log) {
    if (ranks.rank() != 0) return serve(ranks, source);
    Dispatch dispatch(source, log, true);
    std::thread own = start_thread([&] { dispatch.work(); });
    give_out(ranks, dispatch);
    if (own.joinable()) own.join();
    tell_all(ranks, dispatch);
    if (dispatch.failure()) std::rethrow_exception(dispatch.failure());
}

void abandon(Ranks& ranks) {
    for (unsigned rank = 1; rank < ranks.size(); ++rank) ranks.send(rank, message(abandoned));
}

void decline(Ranks& ranks) {
    while (!ranks.is_abandoned) {
        const auto asked = ranks.receive();
        if (!asked)
            ranks.rest();
        else if (asked->bytes.front() == performs)
            ranks.send(0, message(failed));
        else
            ranks.is_abandoned = asked->bytes.front() == abandoned;
    }
}

}  // namespace rope
