#include "mpi/mpi_ranks.hpp"

#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <thread>

namespace rope {
namespace {

// OpenMPI, MPICH and Slurm set these. Other processes skip MPI, which is slow to start.
bool is_started_by_mpi() {
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"})
        if (std::getenv(name) != nullptr) return true;
    return false;
}

void silence() {
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0) return;
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
}

// When one rank dies, mpirun sends the others SIGTERM and gives them a second.
void say_and_exit(int) {
    constexpr char line[] =
        "error: the run was ended, or another rank died; with --resume FILE the same command goes "
        "on from what was finished\n";
    (void)!write(STDERR_FILENO, line, sizeof line - 1);
    _exit(3);
}

}  // namespace

MpiRanks::MpiRanks() {
    if (!is_started_by_mpi()) return;
    int provided = 0, rank = 0, size = 1;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED)
        throw std::runtime_error("this MPI allows no threads except the one that uses it");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    rank_ = static_cast<unsigned>(rank);
    size_ = static_cast<unsigned>(size);
    are_relayed_ = true;
    if (rank_ != 0)
        silence();
    else
        (void)signal(SIGTERM, say_and_exit);
}

MpiRanks::~MpiRanks() {
    int is_running = 0;
    MPI_Initialized(&is_running);
    if (is_running != 0) MPI_Finalize();
}

void MpiRanks::send(unsigned to, const Bytes& bytes) {
    if (bytes.size() > std::numeric_limits<int>::max())
        throw std::length_error("a message of more than 2 GiB");
    MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, static_cast<int>(to), 0,
             MPI_COMM_WORLD);
}

std::optional<RankMessage> MpiRanks::receive() {
    int is_there = 0, size = 0;
    MPI_Message message;
    MPI_Status status;
    MPI_Improbe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &is_there, &message, &status);
    if (is_there == 0) return std::nullopt;
    waits_ = false;
    MPI_Get_count(&status, MPI_BYTE, &size);
    Bytes bytes(static_cast<std::size_t>(size), '\0');
    MPI_Mrecv(bytes.data(), size, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    return RankMessage{static_cast<unsigned>(status.MPI_SOURCE), std::move(bytes)};
}

// Waiting inside MPI uses a full core, and polling every 50 µs a tenth of one. The interval grows
// with the waiting time, to at most 1 ms.
void MpiRanks::rest() {
    const auto now = std::chrono::steady_clock::now();
    if (!waits_) since_ = now;
    waits_ = true;
    const std::chrono::nanoseconds waited = now - since_;
    std::this_thread::sleep_for(std::clamp<std::chrono::nanoseconds>(
        waited / 32, std::chrono::microseconds(20), std::chrono::milliseconds(1)));
}

}  // namespace rope
