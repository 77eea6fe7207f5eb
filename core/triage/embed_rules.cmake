# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DRULES=… -DOUT=… -P embed_rules.cmake: the rules file as a string in a source file.
file(READ "${RULES}" text)
file(WRITE "${OUT}" "namespace ddp::triage {\nextern const char* const kBuiltinRules;\n"
     "const char* const kBuiltinRules = R\"ddprules(${text})ddprules\";\n} // namespace ddp::triage\n")
