# `make run` and `make test` set up what they need into .ros/ the first time: ROS 2 from PyPI where none is sourced.
SHELL := bash
HOME_DIR := .ros
# Any Python 3 starts the set-up, which then looks for a suitable one; PYTHON=... decides both.
STARTER := $(or $(PYTHON),$(shell command -v python3 || command -v python3.12 || command -v python3.11))
IN_ROS := source $(HOME_DIR)/setup.bash &&

export PYTHON

# In the order in which tools/noxfile.py tries them: the first ones set nothing up; the tests want all of the corpus or none.
.PHONY: help lint docs fuzz dist test-distros picture pictures setup run peers bench mutate test corpus clean distclean

help:  ## say what there is
	@echo "make picture                the bundled robot as a picture, without ROS (ROBOT=path: another)"
	@echo "make run                    the node on the bundled robot: services, TF tree, conversion report; Ctrl-C ends it"
	@echo "make run ROBOT=path         the same on a .urdf, .sdf, .world or .xacro"
	@echo "make run ARGS='name:=value' arguments of the .xacro"
	@echo "make run ONCE=1             the same, ends after printing"
	@echo "make run VIEW=1             shows the robot in the browser, too, moving with joint_states"
	@echo "make test                   all tests, through colcon test (PYTEST='-k name' selects)"
	@echo "make lint                   ruff, mypy --strict, import-linter and vulture on the sources"
	@echo "make test-distros           the library's tests with the packages of each supported distribution (DISTROS='-s debian-12' selects)"
	@echo "make dist                   build sdist and wheel, try both in empty environments (DIST='-p 3.11' selects)"
	@echo "make docs                   the pages as HTML, in docs/_build/html; a warning is an error"
	@echo "make pictures               the pictures of the pages anew, by the commands that the pages show (PR2=checkout of pr2_common: pr2.png, too)"
	@echo "make corpus                 clone the real robots that tests compare with libsdformat (CORPUS='--only PR2' selects)"
	@echo "make peers                  install Drake, MuJoCo, Pinocchio and yourdfpy, and ask them and libsdformat (PEERS=all: about every file; NEWEST=1: the newest versions of the programs that the table of behaviours names)"
	@echo "make bench                  speed beside libsdformat, where that is installed (BENCH='--quick --only robots' selects)"
	@echo "make fuzz TIME=10m          look for inputs that break a promise (FUZZ='--target uri' selects); docs/project/fuzzing.md"
	@echo "make mutate                 put small faults into a copy, see which no test notices (MUTATE='--base main' selects); docs/project/mutation.md"
	@echo "make setup                  only the set-up; then 'source $(HOME_DIR)/setup.bash' for a shell with everything"
	@echo "make clean                  remove what was built from this package"
	@echo "make distclean              remove everything the set-up made, the ROS 2 from PyPI included"
	@echo
	@echo "PYTHON=python3.11 chooses the interpreter of the first set-up. A sourced ROS 2 is used as it is."

.PHONY: python
python:
	@[ -n "$(STARTER)" ] \
	  || { echo "Missing: Python 3.10 to 3.14.  Install:  apt-get install python3 python3-venv python3-dev" >&2; exit 1; }

setup: python  ## install and build what is missing
	@"$(STARTER)" tools/bootstrap --home $(HOME_DIR)

run: setup  ## the node on a robot
	@$(IN_ROS) exec python -m sdf_frames.ros.demo --output-dir $(HOME_DIR)/out $(if $(ROBOT),"$(ROBOT)") $(ARGS) $(if $(ONCE),--once) $(if $(VIEW),--view)

picture: $(HOME_DIR)/picture/ready  ## a robot as a picture, without ROS
	@mkdir -p $(HOME_DIR)/out
	@$(HOME_DIR)/picture/bin/python -m sdf_frames view \
	  "$(or $(ROBOT),robots/mobile_manipulator/mobile_manipulator.urdf)" --png $(HOME_DIR)/out/picture.png $(ARGS)
	@echo "Picture: $(HOME_DIR)/out/picture.png"

$(HOME_DIR)/picture/ready: setup.py | python
	@[ "$$(uname)" != Linux ] || "$(STARTER)" -c 'import ctypes; ctypes.CDLL("libEGL.so.1")' 2>/dev/null \
	  || "$(STARTER)" -c 'import ctypes; ctypes.CDLL("libOSMesa.so")' 2>/dev/null \
	  || { echo "Missing: OpenGL.  Install:  apt-get install libegl1 libgl1-mesa-dri" >&2; exit 1; }
	@"$(STARTER)" -m venv $(HOME_DIR)/picture
	@$(HOME_DIR)/picture/bin/python -I -m pip install --quiet --disable-pip-version-check '.[png,xacro]'
	@touch $@

test: setup  ## all tests
	@$(IN_ROS) exec python tools/run_tests.py $(PYTEST)

lint: $(HOME_DIR)/lint/ready  ## what tools say of the sources
	@$(HOME_DIR)/lint/bin/ruff check .
	@env -u PYTHONPATH $(HOME_DIR)/lint/bin/mypy
	@$(HOME_DIR)/lint/bin/lint-imports --no-cache --no-logo
	@$(HOME_DIR)/lint/bin/vulture

# Their versions are fixed, so that a new release of a tool makes no commit fail.
$(HOME_DIR)/lint/ready: tools/requirements-lint.txt | python
	@"$(STARTER)" -m venv $(HOME_DIR)/lint
	@$(HOME_DIR)/lint/bin/python -I -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

NOX = env -u PYTHONPATH $(HOME_DIR)/lint/bin/nox --noxfile tools/noxfile.py --reuse-existing-virtualenvs

test-distros: $(HOME_DIR)/lint/ready  ## the library's tests on every distribution
	@$(NOX) --error-on-missing-interpreters $(or $(DISTROS),--tags distros)

dist: $(HOME_DIR)/lint/ready  ## sdist and wheel
	@$(NOX) --session build
	@$(NOX) --session trial $(DIST)

docs: $(HOME_DIR)/docs/ready  ## the pages as HTML
	@env -u PYTHONPATH $(HOME_DIR)/docs/bin/sphinx-build -W --keep-going -q -E -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

$(HOME_DIR)/docs/ready: tools/requirements-docs.txt | python
	@"$(STARTER)" -m venv $(HOME_DIR)/docs
	@$(HOME_DIR)/docs/bin/python -I -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

PICTURES = docs/pictures
LIBRARY = $(HOME_DIR)/picture/bin/python -m sdf_frames
BUNDLED = robots/mobile_manipulator

pictures: $(HOME_DIR)/picture/ready  ## the pictures of the pages
	@mkdir -p $(PICTURES)
	$(HOME_DIR)/picture/bin/python docs/pictures/draw.py
	$(LIBRARY) view $(BUNDLED)/mobile_manipulator.urdf --png $(PICTURES)/robot_frames.png --size 900x675 \
	  --joint elbow_joint=1 --joint lift_joint=0.1 --joint shoulder_lift_joint=-0.4
	$(LIBRARY) view $(BUNDLED)/mobile_manipulator.urdf --layers visuals,inertia --png $(PICTURES)/inertia_boxes.png \
	  --size 900x675
	$(LIBRARY) view docs/pictures/workshop.sdf --png $(PICTURES)/workshop.png --size 900x600
	cp -r $(BUNDLED) $(HOME_DIR)/moved
	sed -i 's/-0.25 0 0.17/-0.1 0.1 0.17/' $(HOME_DIR)/moved/mobile_manipulator.urdf
	-$(LIBRARY) diff $(BUNDLED)/mobile_manipulator.urdf $(HOME_DIR)/moved/mobile_manipulator.urdf \
	  --png $(PICTURES)/difference.png
	rm -r $(HOME_DIR)/moved
	$(if $(PR2),$(LIBRARY) view $(PR2)/pr2_description/robots/pr2.urdf.xacro --png $(PICTURES)/pr2.png --size 900x675)
	@$(HOME_DIR)/picture/bin/python -I -m pip install --quiet --disable-pip-version-check '.[view]' playwright
	$(HOME_DIR)/picture/bin/python docs/pictures/shoot.py $(PICTURES)/page.png

corpus: python  ## real robots and worlds, for the tests
	@"$(STARTER)" tools/fetch_corpus.py $(CORPUS)

PROGRAMS_HOME = $(HOME_DIR)/$(if $(NEWEST),newest,programs)

peers: setup  ## what other programs say
	@$(IN_ROS) python -m pip install --quiet --disable-pip-version-check pytest hypothesis drake mujoco pin yourdfpy example-robot-data icub-models
	@$(IN_ROS) python test/peers/install_behaviours.py $(PROGRAMS_HOME) $(if $(NEWEST),--newest)
	@$(IN_ROS) SDF_FRAMES_PROGRAMS=$(PROGRAMS_HOME) SDF_FRAMES_PEERS=$(PEERS) exec python -m pytest test/peers -q -rs $(PYTEST)

bench: setup  ## speed
	@$(IN_ROS) python -m pip install --quiet --disable-pip-version-check pyperf
	@$(IN_ROS) exec python -m benchmark $(or $(BENCH),--quick)

fuzz: .fuzz/venv/ready  ## look for inputs that break a promise
	@.fuzz/venv/bin/python -m fuzz --time $(or $(TIME),10m) $(FUZZ)

# atheris has wheels for few versions of Python; nothing else needs it, hence its own environment.
.fuzz/venv/ready: pyproject.toml
	@python="$$(command -v python3.11 || command -v python3.12)" || { echo "Missing: Python 3.11 or 3.12, for atheris." >&2; exit 1; }; \
	"$$python" -m venv .fuzz/venv
	@.fuzz/venv/bin/pip install --quiet --disable-pip-version-check atheris --editable .
	@touch $@

mutate: setup  ## see which faults no test notices
	@$(IN_ROS) python -m pip install --quiet --disable-pip-version-check mutmut==3.8.1
	@$(IN_ROS) exec python tools/mutate.py $(MUTATE)

clean:  ## remove what was built from this package
	rm -rf $(HOME_DIR)/build $(HOME_DIR)/install $(HOME_DIR)/log $(HOME_DIR)/src $(HOME_DIR)/stamps/build
	rm -rf build install log dist *.egg-info .pytest_cache .hypothesis .fuzz .mutate
	find . -name __pycache__ -not -path './$(HOME_DIR)/*' -type d -prune -exec rm -rf {} +

distclean: clean  ## remove everything the set-up made
	rm -rf $(HOME_DIR)
