# Manual pages, made from --help, and the completion scripts that the tool prints.
# usage: cmake "-DTOOL=[EMULATOR;]PROGRAM" -DFOLDER=FOLDER -P manual.cmake
function(printed output)
  execute_process(COMMAND ${TOOL} ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

# In roff, . and ' begin a line and \ begins an escape.
function(write_page name)
  printed(help ${ARGN} --help)
  string(REPLACE "\\" "\\e" help "${help}")
  string(REPLACE "\n" "\n\\&" help "${help}")
  string(REPLACE "-" "\\-" help "${help}")
  string(TOUPPER "${name}" title)
  file(WRITE "${FOLDER}/man1/${name}.1"
      ".TH ${title} 1\n.SH NAME\n${name} \\- check rotary position embeddings\n"
      ".SH DESCRIPTION\n.nf\n\\&${help}\n.fi\n")
endfunction()

file(REMOVE_RECURSE "${FOLDER}")
write_page(rope-check)
printed(help --help)
string(REGEX MATCHALL "\n  [a-z-]+  " commands "${help}")
foreach(command IN LISTS commands)
  string(STRIP "${command}" command)
  write_page("rope-check-${command}" ${command})
endforeach()
foreach(file bash/rope-check zsh/_rope-check fish/rope-check.fish)
  string(REGEX MATCH "^[a-z]+" shell "${file}")
  printed(script completion ${shell})
  file(WRITE "${FOLDER}/${file}" "${script}")
endforeach()
