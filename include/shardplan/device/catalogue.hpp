#pragma once
/// The built-in devices and networks, and a tuple of all devices.
#include <boost/hana/tuple.hpp>

#include <shardplan/device/catalogue/amd_mi300x.hpp>
#include <shardplan/device/catalogue/networks.hpp>
#include <shardplan/device/catalogue/nvidia_a100_pcie_80gb.hpp>
#include <shardplan/device/catalogue/nvidia_a100_sxm_40gb.hpp>
#include <shardplan/device/catalogue/nvidia_a100_sxm_80gb.hpp>
#include <shardplan/device/catalogue/nvidia_a10g.hpp>
#include <shardplan/device/catalogue/nvidia_b200.hpp>
#include <shardplan/device/catalogue/nvidia_b300.hpp>
#include <shardplan/device/catalogue/nvidia_gb200.hpp>
#include <shardplan/device/catalogue/nvidia_gb300.hpp>
#include <shardplan/device/catalogue/nvidia_gh200.hpp>
#include <shardplan/device/catalogue/nvidia_h100_nvl.hpp>
#include <shardplan/device/catalogue/nvidia_h100_pcie.hpp>
#include <shardplan/device/catalogue/nvidia_h100_sxm.hpp>
#include <shardplan/device/catalogue/nvidia_h100_sxm_96gb.hpp>
#include <shardplan/device/catalogue/nvidia_h200.hpp>
#include <shardplan/device/catalogue/nvidia_h800.hpp>
#include <shardplan/device/catalogue/nvidia_l4.hpp>
#include <shardplan/device/catalogue/nvidia_l40s.hpp>
#include <shardplan/device/catalogue/nvidia_rtx_4090.hpp>
#include <shardplan/device/catalogue/nvidia_v100_sxm_16gb.hpp>
#include <shardplan/device/catalogue/nvidia_v100_sxm_32gb.hpp>

namespace shardplan::device::catalogue {

/// Every entry, by value, from the oldest to the newest of each make. The types are few, the entries many: a tool that
/// looks one up by `id` walks this tuple.
inline constexpr auto all = boost::hana::make_tuple(v100_sxm_16gb, v100_sxm_32gb, a10g, a100_sxm_40gb, a100_sxm_80gb,
                                                    a100_pcie_80gb, h100_sxm, h100_pcie, h100_sxm_96gb, h100_nvl, h800,
                                                    h200, gh200, b200, b300, gb200, gb300, l4, l40s, rtx_4090, mi300x);

}  // namespace shardplan::device::catalogue
