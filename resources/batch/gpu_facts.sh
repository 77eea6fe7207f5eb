
# What the driver says before the run, the cheap reads first. A nvidia-smi that does not answer is a result.
{ cat /proc/driver/nvidia/version; ls -l /dev/nvidia*; } >nvidia-driver.txt 2>&1
ask_driver() { # FILE ARGUMENT…
    local file=$1 code
    shift
    timeout -k 5 20 nvidia-smi "$@" >"$file" 2>&1
    code=$?
    [ $code -eq 0 ] || echo "ddpscope: nvidia-smi $* ended with exit code $code" | tee -a "$file"
    case $code in 124 | 137) echo "ddpscope: nvidia-smi did not answer within 20 s" ;; esac
}
ask_driver nvidia-smi.txt -q
ask_driver nvidia-smi-gpus.txt --format=csv --query-gpu=index,name,uuid,pci.bus_id,driver_version,vbios_version,ecc.mode.current,ecc.errors.uncorrected.volatile.total,ecc.errors.uncorrected.aggregate.total,temperature.gpu,power.draw
ask_driver nvidia-smi-rows.txt --format=csv --query-remapped-rows=gpu_uuid,remapped_rows.correctable,remapped_rows.uncorrectable,remapped_rows.pending,remapped_rows.failure
late_facts() { ask_driver nvidia-smi-late.txt -q; }
