# Completion of forcetouchd(8) for bash.

_forcetouchd() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} index
  COMPREPLY=()
  # bash takes --socket=PATH for three words.
  if [[ $current == = ]]; then
    current=""
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  # All words between --replay and the next option are files.
  index=$((COMP_CWORD - 1))
  while ((index > 0)) && [[ ${COMP_WORDS[index]} != -* ]]; do ((index--)); done
  # compopt fails, and is not needed, where nobody completes: in a test.
  if [[ $previous == --state ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$current")
    return
  fi
  if [[ $previous == --socket || $previous == --config ]] ||
    [[ ${COMP_WORDS[index]} == --replay && ($index -eq $((COMP_CWORD - 1)) || $current != -*) ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
    return
  fi
  mapfile -t COMPREPLY < <(
    compgen -W "--socket --replay --config --state --verbose --version --help" -- "$current")
}

complete -F _forcetouchd forcetouchd
