# Completion of forcetouchctl(1) for bash. Needs nothing but bash, and forcetouchctl itself for the
# names of devices.

# Prints the name and the node of each device that the daemon has; nothing when there is no daemon.
# $1: the socket, or nothing.
_forcetouchctl_devices() {
  timeout 2 forcetouchctl devices --json ${1:+--socket "$1"} 2>/dev/null |
    grep -oE '"(device|node)":"[^"]*"' | cut -d'"' -f4
}

_forcetouchctl_files() {
  # Fails, and is not needed, where nobody completes: in a test.
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

_forcetouchctl_nodes() {
  mapfile -t COMPREPLY < <(compgen -G '/dev/input/event*' | grep -F -- "$1")
}

_forcetouchctl() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  # bash takes --socket=PATH for three words.
  if [[ $current == = ]]; then
    current=""
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  COMPREPLY=()

  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(
      compgen -W "devices capability monitor probe record replay plot calibrate run status doctor --help --version" -- "$current")
    return
  fi

  case $previous in
    --socket | --config | --description | --output | -o | --actions)
      _forcetouchctl_files "$current"
      return
      ;;
    --format)
      mapfile -t COMPREPLY < <(compgen -W "libinput evemu" -- "$current")
      return
      ;;
    --limit)
      mapfile -t COMPREPLY < <(compgen -W "10M 100M 1G" -- "$current")
      return
      ;;
    --speed)
      mapfile -t COMPREPLY < <(compgen -W "original max" -- "$current")
      return
      ;;
    --sensitivity)
      mapfile -t COMPREPLY < <(compgen -W "light medium firm" -- "$current")
      return
      ;;
    --from)
      # Of plot it is a time; of calibrate files.
      [[ ${COMP_WORDS[1]} == plot ]] || _forcetouchctl_files "$current"
      return
      ;;
    --to) return ;;
    --without)
      mapfile -t COMPREPLY < <(
        compgen -W "unarmed otherContact palm notFinger nowhere dropped moved moving dragged baseline" -- "$current")
      return
      ;;
  esac

  local options operand index
  case ${COMP_WORDS[1]} in
    devices) options="--json --socket" operand="" ;;
    capability) options="--json --socket" operand=device ;;
    monitor) options="--all --frames --json --socket" operand=device ;;
    probe) options="--description --config --json" operand=node-or-file ;;
    record) options="--output --format --anonymize --limit" operand=node ;;
    replay)
      options="--description --sensitivity --estimated --without --config --speed --all --json"
      operand=file
      ;;
    plot)
      options="--output --dark --from --to --description --sensitivity --estimated --without --config"
      operand=files
      ;;
    calibrate) options="--from --description --reset --yes --json --socket" operand=device ;;
    run) options="--check --actions --socket" operand="" ;;
    status) options="--json --socket" operand="" ;;
    doctor) options="--json --socket" operand="" ;;
    *) return ;;
  esac

  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options --help" -- "$current")
    return
  fi

  if [[ $operand == files ]]; then
    _forcetouchctl_files "$current"
    return
  fi

  # All words between --from and the next option are files.
  index=$((COMP_CWORD - 1))
  while ((index > 1)) && [[ ${COMP_WORDS[index]} != -* ]]; do ((index--)); done
  if [[ ${COMP_WORDS[index]} == --from ]]; then
    _forcetouchctl_files "$current"
    return
  fi

  # No other command takes more than one operand.
  local word from="" socket=""
  for ((index = 2; index < COMP_CWORD; index++)); do
    word=${COMP_WORDS[index]}
    case $word in
      --socket | --config | --description | --output | --actions | --speed | --sensitivity | --without | --format | --limit)
        [[ ${COMP_WORDS[index + 1]} != = ]] || ((index++))
        ((index++))
        [[ $word != --socket ]] || socket=${COMP_WORDS[index]}
        from=""
        ;;
      --from) from=yes ;;
      -*) from="" ;;
      *) [[ -n $from ]] || return ;;
    esac
  done
  case $operand in
    device)
      mapfile -t COMPREPLY < <(compgen -W "$(_forcetouchctl_devices "$socket")" -- "$current")
      ;;
    node) _forcetouchctl_nodes "$current" ;;
    file) _forcetouchctl_files "$current" ;;
    node-or-file)
      if [[ -z $current ]]; then
        _forcetouchctl_nodes ""
      else
        _forcetouchctl_files "$current"
      fi
      ;;
  esac
}

complete -F _forcetouchctl forcetouchctl
