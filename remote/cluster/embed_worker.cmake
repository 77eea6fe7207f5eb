# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DROOT= -DSTAGE= -DCLI11= -DVERSION= -DOUT= -P embed_worker.cmake
# Packs what a cluster needs to build the worker, the headers of CLI11 too, and writes it as a source file, so that an
# installed program has it with it.
file(REMOVE_RECURSE ${STAGE})
file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/remote/worker/* ${ROOT}/core/records/worker_records.h
     ${ROOT}/core/records/json_line.h)
list(SORT files)
foreach(file ${files})
  get_filename_component(folder ${file} DIRECTORY)
  file(COPY ${ROOT}/${file} DESTINATION ${STAGE}/${folder})
endforeach()
file(COPY ${CLI11}/CLI DESTINATION ${STAGE}/third_party)

# The name of the whole: of the contents, not of the archive, whose bytes are those of this CMake.
file(GLOB_RECURSE staged RELATIVE ${STAGE} ${STAGE}/*)
list(SORT staged)
set(sums "")
foreach(file ${staged})
  file(SHA256 ${STAGE}/${file} sum)
  string(APPEND sums "${sum} ${file}\n")
endforeach()
string(SHA256 id "${sums}")
string(SUBSTRING ${id} 0 16 id)

execute_process(COMMAND ${CMAKE_COMMAND} -E tar czf ${STAGE}.tar.gz --format=gnutar ${staged} WORKING_DIRECTORY ${STAGE}
                RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "the worker's source can not be packed")
endif()
file(READ ${STAGE}.tar.gz hex HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
file(WRITE ${OUT} "// Made by embed_worker.cmake.
#include \"remote/cluster/worker_source.h\"
namespace ddp::remote {
static const unsigned char kArchive[] = {${bytes}};
WorkerSource workerSource() {
    return {{reinterpret_cast<const char*>(kArchive), sizeof kArchive}, \"${id}\", \"${VERSION}\"};
}
} // namespace ddp::remote
")
