// SPDX-License-Identifier: MIT
#include "disk.hpp"

#include <fcntl.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <vector>

namespace trigon::fault {
namespace {

enum class Kind { write, empty, link, unlink };

/// A change that reaches the disk now or later.
struct Change {
  Kind kind;
  int inode = 0;
  std::string name{};  ///< of a link
  std::size_t offset = 0;
  std::string data{};
  bool is_synced = false;

  /// Possible states after a power cut: kept or dropped; a write also by half or as zeros.
  int ways() const { return is_synced ? 1 : kind == Kind::write ? 4 : 2; }
};

std::string folder_of(const std::string& name) {
  const auto parent = std::filesystem::path(name).parent_path().string();
  return parent.empty() ? "." : parent;
}

/// The changes of calls, and which of them an fsync() has made final.
class Log {
 public:
  Log(const std::string& path, const Content& old) {
    if (old) names_[path] = 0;
  }

  void add(const Call& call) {
    if (call.name == "open" && call.fd >= 0) open(call);
    if (call.name == "write") {
      Open& file = open_.at(call.fd);
      changes_.push_back({Kind::write, file.inode, {}, file.offset, call.data});
      file.offset += call.data.size();
    }
    if (call.name == "fsync") sync(open_.at(call.fd));
    if (call.name == "close") open_.erase(call.fd);
    if (call.name == "rename") {
      names_[call.to] = names_.at(call.path);
      names_.erase(call.path);
      changes_.push_back({Kind::link, names_.at(call.to), call.to});
      changes_.push_back({Kind::unlink, 0, call.path});
    }
    if (call.name == "unlink") {
      names_.erase(call.path);
      changes_.push_back({Kind::unlink, 0, call.path});
    }
  }

  const std::vector<Change>& changes() const { return changes_; }

 private:
  struct Open {
    int inode = -1;
    std::size_t offset = 0;
    std::string folder{};  ///< where it is one
  };

  void open(const Call& call) {
    if ((call.flags & O_DIRECTORY) != 0) {
      open_[call.fd] = {.folder = call.path};
      return;
    }
    if (!names_.contains(call.path)) {
      names_[call.path] = ++last_inode_;
      changes_.push_back({Kind::link, last_inode_, call.path});
    }
    const int inode = names_.at(call.path);
    if ((call.flags & O_TRUNC) != 0) changes_.push_back({Kind::empty, inode});
    open_[call.fd] = {.inode = inode};
  }

  void sync(const Open& file) {
    for (Change& change : changes_) {
      const bool is_name = change.kind == Kind::link || change.kind == Kind::unlink;
      if (is_name ? folder_of(change.name) == file.folder : change.inode == file.inode) {
        change.is_synced = true;
      }
    }
  }

  int last_inode_ = 0;
  std::map<std::string, int> names_;
  std::map<int, Open> open_;
  std::vector<Change> changes_;
};

/// The contents of `path` for each outcome of each change.
Content replay(std::span<const Change> changes, std::span<const int> ways, const std::string& path,
               const Content& old) {
  std::map<std::string, int> names;
  std::map<int, std::string> data;
  if (old) names[path] = 0, data[0] = *old;
  for (std::size_t k = 0; k < changes.size(); ++k) {
    const Change& change = changes[k];
    if (ways[k] == 1) continue;  // dropped
    std::string& bytes = data[change.inode];
    switch (change.kind) {
      case Kind::link: names[change.name] = change.inode; break;
      case Kind::unlink: names.erase(change.name); break;
      case Kind::empty: bytes.clear(); break;
      case Kind::write: {
        std::string written = change.data;
        if (ways[k] == 2) written.resize(written.size() / 2);
        if (ways[k] == 3) std::fill(written.begin(), written.end(), '\0');
        bytes.resize(std::max(bytes.size(), change.offset + written.size()));
        bytes.replace(change.offset, written.size(), written);
      }
    }
  }
  const auto found = names.find(path);
  return found == names.end() ? Content() : data[found->second];
}

}  // namespace

std::set<Content> after_power_cut(std::span<const Call> calls, const std::string& path,
                                  const Content& old) {
  Log log(path, old);
  for (const Call& call : calls) log.add(call);
  const auto& changes = log.changes();
  std::set<Content> found;
  std::vector<int> ways(changes.size(), 0);
  for (bool is_done = false; !is_done;) {
    found.insert(replay(changes, ways, path, old));
    std::size_t k = 0;  // the next combination, as a counter with a digit for each change
    while (k < ways.size() && ++ways[k] == changes[k].ways()) ways[k++] = 0;
    is_done = k == ways.size();
  }
  return found;
}

}  // namespace trigon::fault
