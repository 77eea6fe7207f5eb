# The check is about the path between the ranks, not about speed.
export OMP_NUM_THREADS=1
# What NCCL says goes into files of its own: on stdout its lines meet those of the ranks.
export NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,ENV,NET
# A collective that does not end is torn down with a message, as torchrun has it; without, the ranks just die.
# Both spellings: old releases of libtorch know only the one without TORCH_.
export TORCH_NCCL_ASYNC_ERROR_HANDLING=1 NCCL_ASYNC_ERROR_HANDLING=1
export TORCH_NCCL_ENABLE_MONITORING=1 TORCH_NCCL_HEARTBEAT_TIMEOUT_SEC=120
export CUDA_DEVICE_ORDER=PCI_BUS_ID
# What else would change what is tested: blocking launches hang NCCL, and a launcher's ranks are not these.
unset TORCH_NCCL_BLOCKING_WAIT NCCL_BLOCKING_WAIT CUDA_LAUNCH_BLOCKING CUDA_MODULE_LOADING SIMULATE_BUG
unset RANK WORLD_SIZE LOCAL_RANK LOCAL_WORLD_SIZE MASTER_ADDR MASTER_PORT
