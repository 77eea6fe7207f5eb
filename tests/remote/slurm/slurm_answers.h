// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Table of data: answers of several releases of Slurm. Names and values are ours; where a shape comes from
/// stands at each.
namespace ddp::test::slurm {

// Printed by Debian 12's 22.05.8 (tests/cluster/cluster.sh), with a reason that tries to look like fields.
inline constexpr const char* kNodes2205 = R"~(NodeName=node02 Arch=x86_64 CoresPerSocket=1 
   CPUAlloc=1 CPUEfctv=2 CPUTot=2 CPULoad=3.64
   AvailableFeatures=fake,intel
   ActiveFeatures=fake
   Gres=gpu:2
   GresDrain=N/A
   GresUsed=gpu:1
   NodeAddr=127.0.0.1 NodeHostName=localhost Port=47295 Version=22.05.8
   OS=Linux 6.18.44-fc-v857 #1 SMP PREEMPT_DYNAMIC @0 
   RealMemory=1000 AllocMem=500 FreeMem=10833 Sockets=2 Boards=1
   State=MIXED+DRAIN ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A
   Partitions=gpu,short 
   BootTime=2026-11-30T07:27:25 SlurmdStartTime=2026-11-30T12:12:34
   LastBusyTime=2026-11-30T12:12:34
   CfgTRES=cpu=2,mem=1000M,billing=2
   AllocTRES=
   CapWatts=n/a
   CurrentWatts=0 AveWatts=0
   ExtSensorsJoules=n/s ExtSensorsWatts=0 ExtSensorsTemp=n/s
   Reason=Kill task failed | State=IDLE, b="c" [x] [root@2026-11-30T12:12:53]

)~";

// The same node by its `sinfo --json`, shortened.
inline constexpr const char* kNodesJson2205 = R"~({
  "meta": {"plugin": {"type": "openapi\/v0.0.38"}, "Slurm": {"release": "22.05.8"}},
  "errors": [ ],
  "nodes": [
    {"architecture": "x86_64", "boot_time": 1796023645, "cpu_load": 364, "free_memory": 10833, "cpus": 2,
     "features": "fake,intel", "active_features": "fake", "gres": "gpu:2", "gres_drained": "N\/A",
     "gres_used": "gpu:1", "name": "node02", "address": "127.0.0.1", "hostname": "localhost", "state": "mixed",
     "state_flags": ["DRAIN"], "operating_system": "Linux 6.18.44-fc-v857 #1 SMP PREEMPT_DYNAMIC @0",
     "owner": null, "partitions": ["gpu", "short"], "port": 47295, "real_memory": 1000,
     "reason": "Kill task failed | State=IDLE, b=\"c\" [x]", "reason_changed_at": 1796040773,
     "reason_set_by_user": "root", "slurmd_version": "22.05.8", "alloc_memory": 500, "alloc_cpus": 1}
  ]
})~";

// The shape of data_parser v0.0.42 (release 24.11), slurm.schedmd.com/rest_api.html: lists of words, numbers
// as objects. A banner before it.
inline constexpr const char* kNodesJson2411 = R"~(*** Welcome to the {cluster} ***
{ "nodes": [
  { "name": "node02", "hostname": "localhost", "address": "127.0.0.1", "state": ["MIXED", "DRAIN"],
    "boot_time": {"set": true, "infinite": false, "number": 1796023645}, "cpus": 2, "alloc_cpus": 1,
    "free_mem": {"set": true, "infinite": false, "number": 10833}, "features": ["fake", "intel"],
    "active_features": ["fake"], "gres": "gpu:2(S:0)",
                            "gres_used" : "gpu:1(IDX:0)",
                            "operating_system" : "Linux 6.18.44-fc-v857 #1 SMP PREEMPT_DYNAMIC @0",
                            "partitions" : [ "gpu", "short" ],
                            "real_memory" : 1000,
                            "alloc_memory" : 500,
                            "reason" : "Kill task failed | State=IDLE, b=\"c\" [x]",
                            "reason_changed_at" : {"set" : true, "infinite" : false, "number" : 1796040773},
                            "reason_set_by_user" : "root",
                            "version" : "22.05.8"
},
  { "name": "cloud-7", "hostname": "cloud-7", "address": "cloud-7",
    "state": ["IDLE", "CLOUD", "POWERED_DOWN", "SHINY"], "cpus": 64, "alloc_cpus": 0,
    "boot_time": {"set": true, "infinite": false, "number": 0},
    "free_mem": {"set": false, "infinite": false, "number": 0}, "features": [], "active_features": [],
    "gres": "gpu:h100:8(S:0-1),shard:16", "gres_used": "gpu:h100:0(IDX:N\/A),shard:0", "partitions": ["cloud"],
    "operating_system": "", "real_memory": 2000000, "alloc_memory": 0, "reason": "",
    "reason_changed_at": {"set": true, "infinite": false, "number": 0}, "reason_set_by_user": "", "version": "" }
  ], "meta": {"slurm": {"release": "24.11.1"}}, "errors": [], "warnings": []
}
)~";

// The shape of release 16.05, as in logs that users posted: CPUErr, `*` at the state, no GresUsed.
inline constexpr const char* kNodes1605 = R"~(NodeName=mover2 CoresPerSocket=1
   CPUAlloc=0 CPUErr=0 CPUTot=24 CPULoad=N/A
   AvailableFeatures=(null)
   ActiveFeatures=(null)
   Gres=(null)
   NodeAddr=mover2 NodeHostName=mover2 
   RealMemory=1 AllocMem=0 FreeMem=N/A Sockets=24 Boards=1
   State=DOWN*+DRAIN ThreadsPerCore=1 TmpDisk=0 Weight=100 Owner=N/A MCS_label=N/A
   Partitions=copy 
   BootTime=None SlurmdStartTime=None
   Reason=Not responding [root@2017-06-29T08:00:07]
)~";

// Printed by 22.05.8; % stands for the separator.
inline constexpr const char* kQueue2205 =
    "1%COMPLETED%None%node03%gpu%2026-11-30T12:12:53%2026-11-30T12:12:54%2026-11-30T12:13:54%UNLIMITED%root%"
    "we "
    "ird|name\n"
    "4%RUNNING%None%node[01-02]%gpu%2026-11-30T12:36:32%2026-11-30T12:36:32%2026-11-30T12:41:32%5:00%root%"
    "wrap\n"
    "2%PENDING%ReqNodeNotAvail, "
    "UnavailableNodes:node02%%gpu%2026-11-30T12:12:53%N/A%N/A%UNLIMITED%root%a,b%c\n";

// The same jobs in the shape of data_parser v0.0.39 (release 23.02): numbers as objects, times plain, one
// word.
inline constexpr const char* kQueueJson2302 = R"~({ "meta": {"Slurm": {"release": "23.02.6"}}, "jobs": [
  {"job_id": 1, "job_state": "COMPLETED", "state_reason": "None", "state_description": "", "nodes": "node03",
   "partition": "gpu", "submit_time": 1796040773, "start_time": 1796040774, "end_time": 1796040834,
   "time_limit": {"set": false, "infinite": true, "number": 0}, "user_name": "root", "name": "we ird|name",
   "exit_code": {"set": true, "infinite": false, "number": 0}, "restart_cnt": 0},
  {"job_id": 4, "job_state": "RUNNING", "state_reason": "None", "state_description": "", "nodes": "node[01-02]",
   "partition": "gpu", "submit_time": 1796042192, "start_time": 1796042192, "end_time": 1796042492,
   "time_limit": {"set": true, "infinite": false, "number": 5}, "user_name": "root", "name": "wrap",
   "exit_code": {"set": true, "infinite": false, "number": 0}, "restart_cnt": 0},
  {"job_id": 2, "job_state": "PENDING", "state_reason": "ReqNodeNotAvail",
   "state_description": "ReqNodeNotAvail, UnavailableNodes:node02", "nodes": "", "partition": "gpu",
   "submit_time": 1796040773, "start_time": 0, "end_time": 0,
   "time_limit": {"set": false, "infinite": true, "number": 0}, "user_name": "root", "name": "a,b%c",
   "exit_code": {"set": true, "infinite": false, "number": 0}, "restart_cnt": 0}],
  "warnings": [], "errors": [] })~";

// data_parser v0.0.40 and later (release 23.11): lists of states, exit codes with a signal, times as objects.
inline constexpr const char* kQueueJson2311 = R"~({ "jobs": [
  {"job_id": 7, "job_state": ["FAILED"], "state_reason": "RaisedSignal:9(Killed)",
                            "state_description" : "",
                            "nodes" : "node03",
                            "partition" : "gpu",
                            "submit_time" : {"set" : true, "infinite" : false, "number" : 1796040773},
                            "start_time" : {"set" : true, "infinite" : false, "number" : 1796040774},
                            "end_time" : {"set" : true, "infinite" : false, "number" : 1796040834},
                            "time_limit" : {"set" : true, "infinite" : false, "number" : 60},
                            "user_name" : "ada",
                            "name" : "check",
                            "exit_code"
    : {
        "status" : ["SIGNALED"],
        "return_code" : {"set" : false, "infinite" : false, "number" : 0},
        "signal" : {"id" : {"set" : true, "infinite" : false, "number" : 9}, "name" : "KILL"}
    },
                            "restart_cnt" : 2
},
  {"job_id": 8, "job_state": ["CANCELLED", "COMPLETING"], "state_reason": "None", "state_description": "",
   "nodes": "node03", "partition": "gpu", "submit_time": {"set": true, "infinite": false, "number": 1796040773},
   "start_time": {"set": true, "infinite": false, "number": 1796040774},
   "end_time": {"set": true, "infinite": false, "number": 1796040834},
   "time_limit": {"set": true, "infinite": false, "number": 60}, "user_name": "ada", "name": "check",
   "exit_code": {"status": ["SUCCESS"], "return_code": {"set": true, "infinite": false, "number": 0}},
   "restart_cnt": 0}], "errors": [], "warnings": []
})~";

// Printed by 22.05.8; % stands for the separator.
inline constexpr const char* kAccounts2205 =
    "1%FAILED%2:0%2026-11-30T12:19:16%2026-11-30T12:19:17%2026-11-30T12:19:18%node01%gpu%root%UNLIMITED%a|b\n"
    "1.batch%FAILED%2:0%2026-11-30T12:19:17%2026-11-30T12:19:17%2026-11-30T12:19:18%node01%%%%batch\n"
    "1.0%CANCELLED%0:9%2026-11-30T12:19:17%2026-11-30T12:19:17%2026-11-30T12:19:18%node01%%%%sh\n"
    "2%CANCELLED by "
    "1000%0:0%2026-11-30T12:19:16%2026-11-30T12:19:17%2026-11-30T12:19:19%node01%gpu%root%00:10:00%wrap\n"
    "3%PENDING%0:0%2026-11-30T12:19:16%Unknown%Unknown%None assigned%gpu%root%UNLIMITED%wrap\n";

// The shape of the accounts in v0.0.44 (release 25.11), slurm.schedmd.com/rest_api.html; the first two jobs
// as above.
inline constexpr const char* kAccountsJson2511 = R"~({ "jobs": [
  {"job_id": 1, "name": "a|b", "user": "root", "partition": "gpu", "nodes": "node01",
   "state": {"current": ["FAILED"], "reason": "NonZeroExitCode"}, "kill_request_user": "",
   "exit_code": {"status": ["ERROR"], "return_code": {"set": true, "infinite": false, "number": 2},
                 "signal": {"id": {"set": false, "infinite": false, "number": 0}, "name": ""}},
   "time": {"submission": 1796041156, "start": 1796041157, "end": 1796041158,
            "limit": {"set": false, "infinite": true, "number": 0}},
   "steps": [
     {"state": ["FAILED"], "step": {"id": "1.batch", "name": "batch"},
      "exit_code": {"status": ["ERROR"], "return_code": {"set": true, "infinite": false, "number": 2}}},
     {"state": ["CANCELLED"], "step": {"id": "1.0", "name": "sh"},
      "exit_code": {"status": ["SIGNALED"], "return_code": {"set": false, "infinite": false, "number": 0},
                    "signal": {"id": {"set": true, "infinite": false, "number": 9}, "name": "KILL"}}}]},
  {"job_id": 2, "name": "wrap", "user": "root", "partition": "gpu", "nodes": "node01",
   "state": {"current": ["CANCELLED"], "reason": "None"}, "kill_request_user": "1000",
   "exit_code": {"status": ["SUCCESS"], "return_code": {"set": true, "infinite": false, "number": 0}},
   "time": {"submission": 1796041156, "start": 1796041157, "end": 1796041159,
            "limit": {"set": true, "infinite": false, "number": 10}}, "steps": []},
  {"job_id": 3, "name": "wrap", "user": "root", "partition": "gpu", "nodes": "None assigned",
   "state": {"current": ["PENDING"], "reason": "None"}, "kill_request_user": "",
   "exit_code": {"status": ["SUCCESS"], "return_code": {"set": true, "infinite": false, "number": 0}},
   "time": {"submission": 1796041156, "start": 0, "end": 0,
            "limit": {"set": false, "infinite": true, "number": 0}}, "steps": []}],
  "errors": [], "warnings": [] })~";

// Printed by 22.05.8, with a comment that tries to look like a field.
inline constexpr const char* kJob2205 = R"~(JobId=4 JobName=wa it|x JobState=COMPLETED
   UserId=root(0) GroupId=root(0) MCS_label=N/A
   Priority=4294901756 Nice=0 Account=root QOS=normal
   JobState=TIMEOUT Reason=TimeLimit Dependency=(null)
   Requeue=1 Restarts=1 BatchFlag=1 Reboot=0 ExitCode=0:15
   RunTime=00:01:01 TimeLimit=00:01:00 TimeMin=N/A
   SubmitTime=2026-11-30T12:36:32 EligibleTime=2026-11-30T12:36:32
   StartTime=2026-11-30T12:36:32 EndTime=2026-11-30T12:37:33 Deadline=N/A
   Partition=gpu AllocNode:Sid=localhost:8970
   ReqNodeList=node01 ExcNodeList=(null)
   NodeList=node01
   BatchHost=node01
   NumNodes=1 NumCPUs=1 NumTasks=1 CPUs/Task=1 ReqB:S:C:T=0:0:*:*
   Command=(null)
   WorkDir=/tmp
   Comment=JobState=FAILED 
   StdErr=/tmp/slurm-4.out
   Power=
   

)~";

inline constexpr const char* kPartitions2205 = R"~(PartitionName=gpu
   AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL
   AllocNodes=ALL Default=YES QoS=N/A
   DefaultTime=NONE DisableRootJobs=NO ExclusiveUser=NO GraceTime=0 Hidden=NO
   MaxNodes=UNLIMITED MaxTime=UNLIMITED MinNodes=0 LLN=NO MaxCPUsPerNode=UNLIMITED
   Nodes=node[01-04]
   PriorityJobFactor=1 PriorityTier=1 RootOnly=NO ReqResv=NO OverSubscribe=NO
   OverTimeLimit=NONE PreemptMode=OFF
   State=UP TotalCPUs=8 TotalNodes=4 SelectTypeParameters=NONE

PartitionName=short
   AllowGroups=ops,dev AllowAccounts=ALL AllowQos=fast
   AllocNodes=ALL Default=NO QoS=N/A
   DefaultTime=00:10:00 DisableRootJobs=NO ExclusiveUser=NO GraceTime=0 Hidden=YES
   MaxNodes=2 MaxTime=1-00:30:00 MinNodes=1 LLN=NO MaxCPUsPerNode=UNLIMITED
   Nodes=node[01-02]
   State=DRAIN TotalCPUs=4 TotalNodes=2 SelectTypeParameters=NONE
)~";

} // namespace ddp::test::slurm
