# forcetouchd: what can be done here. `make help` lists it.

SWIFT ?= swift
CHECKED = --explicit-target-dependency-import-check error
RELEASE = -c release --static-swift-stdlib --disable-local-rpath $(CHECKED) \
          -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now
EXAMPLE = Examples/TableView
FOLLOW = Benchmarks/Client
BENCH = build/bench
FORMATTED = Package.swift Sources Tests Fuzz/Package.swift Fuzz/Sources \
            $(EXAMPLE)/Package.swift $(EXAMPLE)/Sources $(EXAMPLE)/Tests \
            $(FOLLOW)/Package.swift $(FOLLOW)/Sources
VENV = .build/python
# What `make fuzz` does: how long, and which targets of Fuzz/corpus (all when empty).
SECONDS ?= 60
TARGETS ?=
# How often `make fuzz-short` runs each.
RUNS ?= 2000
export FORCETOUCH_PYTHON = $(CURDIR)/$(VENV)/bin/python3

# Where `make install` puts things; the names are those of the GNU coding standards.
PREFIX ?= /usr/local
prefix = $(PREFIX)
exec_prefix = $(prefix)
bindir = $(exec_prefix)/bin
datarootdir = $(prefix)/share
datadir = $(datarootdir)
mandir = $(datarootdir)/man
docdir = $(datarootdir)/doc/forcetouchd
# The programs look for their settings in /etc, wherever they are installed.
sysconfdir = /etc
# systemd and udev read /usr/local/lib as they read /usr/lib.
unitdir = $(prefix)/lib/systemd/system
userunitdir = $(prefix)/lib/systemd/user
sysusersdir = $(prefix)/lib/sysusers.d
udevrulesdir = $(prefix)/lib/udev/rules.d
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
fishcompletiondir = $(datadir)/fish/vendor_completions.d

INSTALL = install
INSTALL_PROGRAM = $(INSTALL) -m 755
INSTALL_DATA = $(INSTALL) -m 644

PROGRAMS = .build/release/forcetouchd .build/release/forcetouchctl
UNITS = systemd/forcetouchd.service systemd/forcetouchd.socket
USER_UNITS = systemd/forcetouch-run.service
PAGES = $(wildcard man/*.[158])
DOCUMENTS = README.md CHANGELOG.md CONTRIBUTING.md LICENSE
MORE_DOCUMENTS = $(wildcard docs/*.md)
PICTURES = $(wildcard docs/images/*)
EXAMPLES = $(wildcard Examples/recordings/*) Examples/actions.yaml
# Units and pages name files where a distribution puts them; here they follow PREFIX.
RELOCATE = sed -e 's|/usr/bin/|$(bindir)/|g' -e 's|/usr/share/doc/forcetouchd|$(docdir)|g'

.PHONY: help demo example build programs debug example-program test soak test-release test-example \
        test-system test-wayland evaluate evaluate-short fuzz fuzz-short sanitize coverage bench \
        bench-short bench-docs bench-programs docs hardware plots screenshots lint format deb install \
        uninstall dependencies \
        test-dependencies bench-dependencies example-dependencies example-test-dependencies \
        package-dependencies clean
.DEFAULT_GOAL := help

help:
	@echo 'make demo          build, play a bundled recording through the daemon, watch a peek and a pop'
	@echo 'make example       a table with previews: a GTK program, on a bundled recording'
	@echo 'make build         the release programs, in .build/release'
	@echo 'make test          every test that needs no kernel of its own'
	@echo 'make soak          faults at random for SECONDS=600; as root'
	@echo 'make test-release  what only an optimized build can be held to'
	@echo 'make evaluate      how well presses are recognized; fails where it got worse'
	@echo 'make test-system   the package in a virtual machine, on a real kernel; as root'
	@echo 'make test-wayland  the example on a Wayland compositor, in a virtual machine; as root'
	@echo 'make fuzz          nonsense for all that is parsed; SECONDS=60 for each of TARGETS=...'
	@echo 'make fuzz-short    the same for a moment, from one seed'
	@echo 'make sanitize      the tests under the address, thread and undefined sanitizers'
	@echo 'make coverage      how much of the sources the Swift tests take, in build/coverage'
	@echo 'make bench         the daemon against its budgets, half an hour; as root, for the machine'
	@echo 'make bench-short   whether that works, and what is counted: two minutes'
	@echo 'make bench-docs    as bench, and the tables into docs/performance.md'
	@echo 'make docs          the documentation of the client library, in build/documentation'
	@echo 'make hardware      docs/hardware.md, out of the device table'
	@echo 'make test-example  the example in a window of its own'
	@echo 'make screenshots   of the monitor and the example, and plots, into docs/images'
	@echo 'make lint          the format of the sources'
	@echo 'make format        put the sources into the format that lint wants'
	@echo 'make deb           a Debian package, in build'
	@echo 'make install       put what `make build` built under PREFIX (/usr/local), as root'
	@echo 'make uninstall     remove what `make install` put there'
	@echo 'make clean         remove what was built'

dependencies:
	@scripts/install-dependencies build

test-dependencies:
	@scripts/install-dependencies build test

bench-dependencies:
	@scripts/install-dependencies bench

example-dependencies:
	@scripts/install-dependencies build example

example-test-dependencies:
	@scripts/install-dependencies build example example-test

package-dependencies:
	@scripts/install-dependencies build package

build: dependencies programs

programs:
	$(SWIFT) build $(RELEASE)
	strip $(PROGRAMS)

debug: dependencies
	$(SWIFT) build $(CHECKED)

demo: debug
	@scripts/demo .build/debug

example-program:
	$(SWIFT) build --package-path $(EXAMPLE) $(CHECKED)

example: example-dependencies debug example-program
	@scripts/example .build/debug $(EXAMPLE)/.build/debug

# The Varlink client that nobody here wrote, in an environment of its own. The system's Python,
# because Debian's umockdev bindings are made for it.
$(VENV)/ready:
	/usr/bin/python3 -m venv --system-site-packages $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check varlink==31.0.0
	touch $@

PROGRAM_TESTS = \
  test_protocol \
  test_control \
  test_calibrate \
  test_evidence \
  test_previewing \
  test_run \
  test_plot \
  test_doctor \
  test_monitor_live \
  test_seats \
  test_login \
  test_hostile_clients \
  test_hostile_daemon \
  test_limits \
  test_slow_clients \
  test_breakdowns \
  test_command_line \
  test_recordings \
  test_kernel_recordings \
  test_documentation \
  test_completions \
  test_examples \
  test_pages \
  test_installation

test: test-dependencies $(VENV)/ready debug
	$(SWIFT) test $(CHECKED)
	cd Tests/Programs && umockdev-wrapper $(FORCETOUCH_PYTHON) -W ignore::ResourceWarning \
	  -m unittest --verbose test_umockdev test_record test_calibrate_live test_doctor_live test_live_faults \
	  test_races test_run_live test_examples.LiveExamplesTest test_soak
	cd Tests/Programs && $(FORCETOUCH_PYTHON) -W ignore::ResourceWarning \
	  -m unittest --verbose $(PROGRAM_TESTS)

# Faults of all kinds at random, for SECONDS; SEED=… decides as it did then.
soak: SECONDS = 600
soak: test-dependencies $(VENV)/ready debug
	cd Tests/Programs && SECONDS=$(SECONDS) umockdev-wrapper $(FORCETOUCH_PYTHON) \
	  -W ignore::ResourceWarning -m unittest --verbose test_soak

# The debug build allocates in every frame.
test-release: test-dependencies $(VENV)/ready programs
	cd Tests/Programs && FORCETOUCH_BIN=$(CURDIR)/.build/release $(FORCETOUCH_PYTHON) \
	  -W ignore::ResourceWarning -m unittest --verbose test_allocations

# What the evaluation computes with, in the same environment.
$(VENV)/evaluation: Evaluation/requirements.txt $(VENV)/ready
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --requirement Evaluation/requirements.txt
	touch $@

# ARGS=--accept makes the new figures the ones to compare with, and docs/evaluation.md; --page that page
# alone.
evaluate: test-dependencies $(VENV)/evaluation programs
	$(FORCETOUCH_PYTHON) Evaluation/evaluate.py $(ARGS)
	cd Evaluation && $(FORCETOUCH_PYTHON) -m unittest

evaluate-short: test-dependencies $(VENV)/evaluation programs
	$(FORCETOUCH_PYTHON) Evaluation/evaluate.py --short $(ARGS)
	cd Evaluation && $(FORCETOUCH_PYTHON) -m unittest

# The machine, and what it needs, is made when it is not there. TESTS names some tests only.
test-system: deb
	@Tests/System/run $(TESTS)

# A machine of its own: GTK and a compositor would double the other one.
test-wayland: deb
	@Tests/System/run-wayland

fuzz: dependencies
	@Fuzz/run -t $(SECONDS) $(TARGETS)

fuzz-short: dependencies
	@Fuzz/run -n $(RUNS) $(TARGETS)

# The programs that tests start are built so, and watched, too. swiftc has no undefined sanitizer:
# clang's watches what is written in C, the shim; its runtime comes with the address sanitizer's.
# XCTest, which has no test here, would be run, too, and leaks by itself. Of the program tests those
# are left out that hold presses to real time, or a program to its memory.
ADDRESS = FORCETOUCH_BIN=$(CURDIR)/.build/address/debug \
          UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
          LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/leaks.supp
sanitize: test-dependencies $(VENV)/ready
	$(ADDRESS) $(SWIFT) test $(CHECKED) --disable-xctest \
	  --sanitize address -Xcc -fsanitize=undefined --scratch-path .build/address
	cd Tests/Programs && $(ADDRESS) umockdev-wrapper $(FORCETOUCH_PYTHON) -W ignore::ResourceWarning \
	  -m unittest --verbose test_umockdev test_live_faults test_races
	cd Tests/Programs && $(ADDRESS) $(FORCETOUCH_PYTHON) -W ignore::ResourceWarning \
	  -m unittest --verbose test_control test_login test_hostile_clients test_hostile_daemon \
	  test_limits test_breakdowns
	$(SWIFT) test $(CHECKED) --disable-xctest --sanitize thread --scratch-path .build/thread

coverage: test-dependencies $(VENV)/ready
	$(SWIFT) test $(CHECKED) --enable-code-coverage --scratch-path .build/coverage
	@scripts/coverage .build/coverage

# What is measured, and with. The programs keep their symbols, which callgrind needs.
bench-programs: $(BENCH)/relay $(BENCH)/load $(BENCH)/fifo_node.so $(BENCH)/allocations.so
	$(SWIFT) build $(RELEASE)
	$(SWIFT) build --package-path $(FOLLOW) -c release --static-swift-stdlib

$(BENCH)/relay: Benchmarks/relay.c
$(BENCH)/load: Benchmarks/load.c Benchmarks/pad.c Benchmarks/pad.h
$(BENCH)/fifo_node.so: Benchmarks/fifo_node.c
$(BENCH)/allocations.so: Tests/Programs/allocations.c

$(BENCH)/%:
	mkdir -p $(BENCH)
	cc -std=gnu17 -O2 -Wall -Wextra -Werror -o $@ $(filter %.c,$^)

$(BENCH)/%.so:
	mkdir -p $(BENCH)
	cc -std=gnu17 -O2 -Wall -Wextra -Werror -shared -fPIC -o $@ $(filter %.c,$^)

MEASURE = cd Benchmarks && FORCETOUCH_BIN=$(CURDIR)/.build/release /usr/bin/python3 bench.py

bench: bench-dependencies deb bench-programs
	@$(MEASURE)

bench-docs: bench-dependencies deb bench-programs
	@$(MEASURE) --write

bench-short: bench-dependencies bench-programs
	@$(MEASURE) --short

# Without any C library of the distribution: a program that imports the library builds as much.
docs:
	$(SWIFT) build $(CHECKED) --product ForceTouch
	@scripts/make-docs .build/debug build/documentation

# The page for people; a test holds it to the table.
hardware: test-dependencies
	scripts/make-hardware-page >docs/hardware.md.new
	mv docs/hardware.md.new docs/hardware.md

test-example: example-test-dependencies debug
	$(SWIFT) build --package-path $(EXAMPLE) $(CHECKED) --build-tests
	cd $(EXAMPLE) && GDK_BACKEND=x11 GTK_A11Y=none xvfb-run -a -s "-noreset -screen 0 1280x1024x24" \
	  $(SWIFT) test --skip-build
	cd $(EXAMPLE)/Tests && /usr/bin/python3 -W ignore::ResourceWarning -m unittest --verbose test_window

# The pictures in README.md, each made from a recording.
screenshots: plots test-dependencies example-test-dependencies debug example-program programs
	cd Tests/Programs && SCREENSHOTS=$(CURDIR)/docs/images FORCETOUCH_BIN=$(CURDIR)/.build/release \
	  /usr/bin/python3 -W ignore::ResourceWarning -m unittest test_monitor_live.PictureTest
	cd $(EXAMPLE)/Tests && SCREENSHOTS=$(CURDIR)/docs/images /usr/bin/python3 -W ignore::ResourceWarning \
	  -m unittest test_window.PeekAndPopTest.test_a_light_press_shows_the_preview_and_lifting_takes_it_away

plots: test-dependencies debug
	mkdir -p docs/images
	cd Examples/recordings && $(CURDIR)/.build/debug/forcetouchctl plot peek-and-pop.evemu \
	  --output $(CURDIR)/docs/images/plot.svg
	cd Examples/recordings && $(CURDIR)/.build/debug/forcetouchctl plot peek-and-pop.evemu --dark \
	  --output $(CURDIR)/docs/images/plot-dark.svg

lint:
	$(SWIFT) format lint --strict --recursive $(FORMATTED)

format:
	$(SWIFT) format --in-place --recursive $(FORMATTED)

# The programs are built as the user, with the user's Swift; root only copies them.
install:
	@for program in $(PROGRAMS); do \
	  [ -x $$program ] || { echo "make install: there is no $$program; run 'make build' first" >&2; exit 1; }; \
	done
	$(INSTALL) -d $(DESTDIR)$(bindir) $(DESTDIR)$(unitdir) $(DESTDIR)$(userunitdir) \
	  $(DESTDIR)$(sysusersdir) \
	  $(DESTDIR)$(udevrulesdir) $(DESTDIR)$(datadir)/forcetouchd \
	  $(DESTDIR)$(docdir)/docs/images $(DESTDIR)$(docdir)/examples \
	  $(DESTDIR)$(bashcompletiondir) $(DESTDIR)$(zshcompletiondir) \
	  $(DESTDIR)$(fishcompletiondir) $(DESTDIR)$(sysconfdir)/forcetouchd/conf.d \
	  $(DESTDIR)$(sysconfdir)/forcetouchd/devices.d
	$(INSTALL_PROGRAM) $(PROGRAMS) $(DESTDIR)$(bindir)
	@for unit in $(UNITS) $(USER_UNITS); do \
	  case " $(USER_UNITS) " in \
	    *" $$unit "*) folder=$(DESTDIR)$(userunitdir);; \
	    *) folder=$(DESTDIR)$(unitdir);; \
	  esac; \
	  echo "$$unit -> $$folder"; \
	  $(RELOCATE) $$unit >$$folder/$${unit##*/} || exit 1; \
	  chmod 644 $$folder/$${unit##*/}; \
	done
	@for page in $(PAGES); do \
	  folder=$(DESTDIR)$(mandir)/man$${page##*.}; \
	  echo "$$page -> $$folder"; \
	  $(INSTALL) -d $$folder && $(RELOCATE) $$page >$$folder/$${page##*/} || exit 1; \
	  chmod 644 $$folder/$${page##*/}; \
	done
	$(INSTALL_DATA) systemd/forcetouchd.sysusers $(DESTDIR)$(sysusersdir)/forcetouchd.conf
	$(INSTALL_DATA) udev-rules/70-forcetouchd.rules $(DESTDIR)$(udevrulesdir)
	$(INSTALL_DATA) Sources/ForceTouchDevices/devices.yaml $(DESTDIR)$(datadir)/forcetouchd
	$(INSTALL_DATA) completions/forcetouchctl.bash $(DESTDIR)$(bashcompletiondir)/forcetouchctl
	$(INSTALL_DATA) completions/forcetouchd.bash $(DESTDIR)$(bashcompletiondir)/forcetouchd
	$(INSTALL_DATA) completions/_forcetouchctl completions/_forcetouchd $(DESTDIR)$(zshcompletiondir)
	$(INSTALL_DATA) completions/forcetouchctl.fish completions/forcetouchd.fish \
	  $(DESTDIR)$(fishcompletiondir)
	$(INSTALL_DATA) $(DOCUMENTS) $(DESTDIR)$(docdir)
	$(INSTALL_DATA) $(MORE_DOCUMENTS) $(DESTDIR)$(docdir)/docs
	$(INSTALL_DATA) $(PICTURES) $(DESTDIR)$(docdir)/docs/images
	$(INSTALL_DATA) $(EXAMPLES) $(DESTDIR)$(docdir)/examples
# Settings that somebody changed are theirs; the new file lies beside them.
	@settings=$(DESTDIR)$(sysconfdir)/forcetouchd/forcetouchd.yaml; \
	if [ ! -e $$settings ] || cmp -s etc/forcetouchd.yaml $$settings; then \
	  rm -f $$settings.new; \
	  echo "etc/forcetouchd.yaml -> $$settings"; \
	  $(INSTALL_DATA) etc/forcetouchd.yaml $$settings; \
	else \
	  echo "$$settings was changed and is kept; the new one is $$settings.new"; \
	  $(INSTALL_DATA) etc/forcetouchd.yaml $$settings.new; \
	fi

# Settings that somebody changed, and what the daemon keeps in /var/lib/forcetouchd, stay.
uninstall:
	rm -f $(DESTDIR)$(bindir)/forcetouchd $(DESTDIR)$(bindir)/forcetouchctl
	rm -f $(DESTDIR)$(unitdir)/forcetouchd.service $(DESTDIR)$(unitdir)/forcetouchd.socket
	rm -f $(DESTDIR)$(userunitdir)/forcetouch-run.service
	rm -f $(DESTDIR)$(sysusersdir)/forcetouchd.conf
	rm -f $(DESTDIR)$(udevrulesdir)/70-forcetouchd.rules
	rm -f $(DESTDIR)$(bashcompletiondir)/forcetouchctl $(DESTDIR)$(bashcompletiondir)/forcetouchd
	rm -f $(DESTDIR)$(zshcompletiondir)/_forcetouchctl $(DESTDIR)$(zshcompletiondir)/_forcetouchd
	rm -f $(DESTDIR)$(fishcompletiondir)/forcetouchctl.fish \
	  $(DESTDIR)$(fishcompletiondir)/forcetouchd.fish
	for page in $(notdir $(PAGES)); do rm -f $(DESTDIR)$(mandir)/man$${page##*.}/$$page; done
	rm -rf $(DESTDIR)$(datadir)/forcetouchd $(DESTDIR)$(docdir)
	@settings=$(DESTDIR)$(sysconfdir)/forcetouchd/forcetouchd.yaml; \
	rm -f $$settings.new; \
	if cmp -s etc/forcetouchd.yaml $$settings; then rm -f $$settings; fi; \
	for folder in $${settings%/*}/conf.d $${settings%/*}/devices.d $${settings%/*}; do \
	  [ ! -d $$folder ] || rmdir --ignore-fail-on-non-empty $$folder; \
	done

# dpkg-buildpackage would leave its results in the parent folder.
deb: package-dependencies
	rm -rf build/*.deb build/*.buildinfo build/*.changes
	mkdir -p build
	DEB_FOLDER=build dpkg-buildpackage --build=binary --post-clean --unsigned-changes --unsigned-buildinfo \
	  --buildinfo-option=-ubuild --buildinfo-file=build/forcetouchd.buildinfo \
	  --changes-option=-ubuild --changes-file=build/forcetouchd.changes
	lintian --allow-root --info --fail-on error,warning build/*.deb
	@ls -l build/*.deb

clean:
	$(SWIFT) package clean
	$(SWIFT) package clean --package-path $(EXAMPLE)
	rm -rf Fuzz/.build .build/address .build/thread .build/coverage
	$(SWIFT) package clean --package-path $(FOLLOW)
	rm -rf .build/python build
