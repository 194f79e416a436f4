"""Writes which kernels and tests show what a kernel can be and what a declaration can say, as a page; each of them has to be there.

shown.py PAGE
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from lines import ENDINGS, FOLDERS, ROOT, count_all, ours

TESTS = ROOT / "tests/conformance"
PAGE = Path(__file__).with_name("shown.md")

# Kinds of kernels: a function, and one of its tests. Without a folder these are in bench/kernels/tests, in ci/package, or in each package.
KINDS = """
element by element | axpy | test_axpy.py
activation with options | activate | calls/test_options.py::test_an_option_by_position_by_name_or_left_out
selection by a mask | choose | calls/test_bodies.py::test_choose
polynomial of many coefficients | polynomial | calls/test_tuples.py::test_twelve_numbers_in_an_element_wise_body
conversion of dtypes | cast | calls/test_bodies.py::test_two_type_variables
sorting, with Thrust | argsort | calls/test_cub.py::test_sorting_with_thrust
numbers from nothing | iota | calls/test_results.py::test_results_of_functions_without_arrays
random access (gather) | gather | calls/test_kernel_errors.py::test_indices_within_range
addition at indices (scatter-add) | tally | calls/test_atomics.py::test_nothing_that_is_added_is_lost
complex numbers | power | calls/test_real_results.py::test_dtype_of_the_real_part
bytes | gray | test_gray.py
iteration for each element | mandelbrot | test_mandelbrot.py
sum over all elements | dot | test_dot.py
reduction of rows, with options | reduce_rows | calls/test_options.py::test_an_option_by_position_by_name_or_left_out
smallest and largest | extremes | calls/test_atomics.py::test_the_extremes_of_many_blocks
argmax | argmax | test_argmax.py
scan | scan | test_scan.py
as many passes as a size says | prefix_steps | calls/test_own_launches.py::test_as_many_passes_as_a_size_says
top-k | top_k | test_top_k.py
compaction | nonzero | calls/test_found_sizes.py::test_as_many_as_there_are
compaction of rows | rows_above | calls/test_found_sizes.py::test_rows
histogram | histogram | test_histogram.py
lists of indices, by atomic exchanges | lists | calls/test_atomics.py::test_each_index_is_in_one_list
weighted histogram | weighted_histogram | test_weighted_histogram.py
k-means | kmeans | test_kmeans.py
halves of rows together, as in SwiGLU | pair_sums | calls/test_solved_dimensions.py::test_half_of_a_size
activation without options | gelu | test_gelu.py
gated activation, with its derivative | silu_and_mul | test_silu_and_mul.py
softmax | softmax | test_softmax.py
rms_norm, with its derivative | rms_norm | test_rms_norm.py
layer norm, with its derivative | layer_norm | test_layer_norm.py
sum and rms_norm | add_rms_norm | test_add_rms_norm.py
cross entropy, with its derivative | cross_entropy | test_cross_entropy.py
rotation of halves, in place | rotate_halves | test_rotate_halves.py
rotary embedding, in place | rotary | calls/test_strides.py::test_a_part_of_an_array_is_written_in_place
arithmetic in 8 and 16 bits | scale | arrays/test_small_floats.py::test_results_are_rounded_as_ml_dtypes_does
quantization to 8 bits | quantize | arrays/test_small_floats.py::test_arrays_of_larger_floats_become_8_bits
quantization of rows to 8 bits | quantize_rows | test_quantize_rows.py
matrix times vector | gemv | test_gemv.py
matrix times matrix | matmul | test_matmul.py
matrix times matrix, by tiles in shared memory | tiled_product | calls/test_own_launches.py::test_tiles_in_shared_memory
matrix times matrix, on tensor cores | matrix_product | calls/test_tensor_cores.py::test_products_of_whole_numbers_are_exact
linear layer with weights of 8 bits, on tensor cores | linear | calls/test_tensor_cores.py::test_factors_that_are_calculated_and_elements_as_they_were
sparse matrix (CSR) times vector | spmv | calls/test_solved_dimensions.py::test_size_less_one
convolution, separable | blur | test_blur.py
stencil in two dimensions | smooth | calls/test_stencils.py::test_boundary_modes
stencil in three dimensions | laplacian | test_laplacian.py
bilinear interpolation | bilinear | test_bilinear.py
interpolation in an image or a volume, by textures | resample | calls/test_textures.py::test_all_bits_of_volumes
transposition, by TMA | tile_transpose | calls/test_architectures.py::test_a_kernel_that_copies_by_tma
transformation of points | rotate | calls/test_bodies.py::test_fixed_sizes
particles, as structs | push | calls/test_structs.py::test_elements_of_numpy_and_of_cuvec
values in a constant table | look_up | calls/test_tables.py::test_it_is_what_was_set_last
n-body | nbody | test_nbody.py
Monte Carlo | monte_carlo | test_monte_carlo.py
random numbers, of curand or of its own | uniform | test_functions_alone.py::test_nvcc_finds_the_headers_of_curand
grids whose blocks wait for each other | exchange | calls/test_launches.py::test_blocks_of_a_cooperative_launch_wait_for_each_other
"""

# Features of a declaration: the function that says it, or one for each language, then tests by library; below tests/conformance, or in
# ci/package. Without a function of the tests' own, the languages in which it can be said.
CAPABILITIES = """
bfloat16, float8 | scale
  NumPy: arrays/test_small_floats.py::test_results_are_rounded_as_ml_dtypes_does
  PyTorch: adapters/test_torch_operators.py::test_floats_of_16_bits_are_computed_in_float32
  JAX: adapters/test_jax_functions.py::test_dtypes
  CuPy: interop/test_cupy_declarations.py::test_bfloat16_comes_and_goes
  Dask: adapters/test_dask_gufunc.py::test_bfloat16
leading dimensions | rms_norm
  NumPy: calls/test_leading_dimensions.py::test_every_row_is_worked_on
  PyTorch: adapters/test_torch_operators.py::test_vmap_is_one_call_where_there_are_leading_dimensions
  JAX: adapters/test_jax_arrays.py::test_vmap_is_one_call_where_there_are_leading_dimensions
  CuPy: interop/test_cupy_declarations.py::test_leading_dimensions
  Dask: adapters/test_dask_gufunc.py::test_rows_that_differ_in_what_they_share_are_calls_of_their_own
broadcasting, element by element | choose
  NumPy: calls/test_broadcasting.py::test_element_wise_functions_broadcast
  PyTorch: adapters/test_torch_operators.py::test_dimensions_are_broadcast
  JAX: adapters/test_jax_functions.py::test_dimensions_are_broadcast
  CuPy: interop/test_cupy.py::test_cupys_arrays_are_broadcast
  Dask: adapters/test_dask_gufunc.py::test_leading_dimensions_are_broadcast
loop dimensions | gemv
  NumPy: calls/test_broadcasting.py::test_other_functions_are_called_in_a_loop
  PyTorch: adapters/test_torch_operators.py::test_vmap_is_one_call_with_a_loop_in_it
  JAX: adapters/test_jax_arrays.py::test_vmap_is_one_call_with_a_loop_in_it
  CuPy: interop/test_cupy.py::test_cupys_arrays_are_broadcast
  Dask: adapters/test_dask_gufunc.py::test_leading_dimensions_are_broadcast
strides, written in place | rotary
  NumPy: calls/test_strides.py::test_any_strides
  PyTorch: adapters/test_torch_operators.py::test_strided_tensors_are_passed_as_they_are
  JAX: adapters/test_jax_functions.py::test_arrays_with_strides_are_contiguous_here
  CuPy: interop/test_cupy_declarations.py::test_a_part_of_an_array_is_written_in_place
rows | spread
  NumPy: calls/test_strides.py::test_bodies_get_strides_in_elements
  PyTorch: adapters/test_torch_operators.py::test_bodies_get_the_strides_of_tensors
  JAX: adapters/test_jax_functions.py::test_rows_are_dense_here
  CuPy: interop/test_cupy_declarations.py::test_bodies_get_the_strides_of_rows
  Dask: adapters/test_dask_gufunc.py::test_unavailable_functions_say_why
any strides of what is only read | gemv
  NumPy: calls/test_layouts.py::test_layouts
  PyTorch: adapters/test_torch_operators.py::test_arguments_that_are_only_read_may_be_strided
  CuPy: interop/test_cupy.py::test_cupys_strided_arrays_are_read
  Dask: adapters/test_dask_gufunc.py::test_chunks_in_other_memory_orders
derivatives | rms_norm
  PyTorch: adapters/test_torch_derivatives.py::test_gradients_are_summed_over_the_dimensions_that_an_argument_lacks
  JAX: adapters/test_jax_derivatives.py::test_gradients_are_summed_over_the_dimensions_that_an_argument_lacks
derivatives of derivatives | cube
  PyTorch: adapters/test_torch_derivatives.py::test_a_derivative_may_declare_its_own
  JAX: adapters/test_jax_derivatives.py::test_a_derivative_without_one_is_an_error
an error where there is none | cube_bwd2
  PyTorch: adapters/test_torch_derivatives.py::test_a_derivative_without_one_is_an_error_in_the_backward_pass
  JAX: adapters/test_jax_derivatives.py::test_a_derivative_without_one_is_an_error
saved results | rms_norm
  NumPy: calls/test_saved_results.py::test_a_call_returns_the_others_alone
  PyTorch: adapters/test_torch_derivatives.py::test_derivatives_use_what_was_saved
  JAX: adapters/test_jax_derivatives.py::test_what_is_saved_is_what_the_derivative_reads
  Dask: adapters/test_dask_gufunc.py::test_what_is_saved_is_not_returned
optional arrays | affine
  NumPy: calls/test_optional_arrays.py::test_an_array_or_none_or_nothing
  PyTorch: calls/test_optional_arrays.py::test_operators_of_pytorch
  JAX: calls/test_optional_arrays.py::test_functions_of_jax
  CuPy: interop/test_cupy_declarations.py::test_optional_arrays
  Dask: calls/test_optional_arrays.py::test_functions_of_dask
options, infinity as a default | activate
  NumPy: calls/test_options.py::test_an_option_by_position_by_name_or_left_out
  PyTorch: calls/test_options.py::test_operators_of_pytorch
  JAX: calls/test_options.py::test_functions_of_jax
  CuPy: interop/test_cupy_declarations.py::test_options_and_tuples
  Dask: calls/test_options.py::test_functions_of_dask
tuples | strided_sums
  NumPy: calls/test_tuples.py::test_tuples_lists_and_arrays
  PyTorch: calls/test_tuples.py::test_operators_of_pytorch
  JAX: calls/test_tuples.py::test_functions_of_jax
  CuPy: interop/test_cupy_declarations.py::test_options_and_tuples
  Dask: calls/test_tuples.py::test_functions_of_dask
results of a size that is found | nonzero
  NumPy: calls/test_found_sizes.py::test_as_many_as_there_are
  PyTorch: adapters/test_torch_results.py::test_sizes_are_found
  JAX: adapters/test_jax_results.py::test_functions_that_find_sizes_are_left_out
  CuPy: interop/test_cupy_declarations.py::test_sizes_are_found
  Dask: adapters/test_dask_gufunc.py::test_unavailable_functions_say_why
results of the real dtype | power
  NumPy: calls/test_real_results.py::test_dtype_of_the_real_part
  PyTorch: adapters/test_torch_results.py::test_results_have_the_dtype_of_the_real_part
  JAX: adapters/test_jax_results.py::test_results_have_the_dtype_of_the_real_part
  CuPy: interop/test_cupy_declarations.py::test_results_have_the_dtype_of_the_real_part
  Dask: adapters/test_dask_gufunc.py::test_results_have_the_dtype_of_the_real_part
named results | rms_norm_bwd
  NumPy: calls/test_named_results.py::test_results_have_names
  PyTorch: adapters/test_torch_results.py::test_results_have_names
  JAX: adapters/test_jax_results.py::test_results_have_names
  CuPy: interop/test_cupy_declarations.py::test_results_have_names
  Dask: adapters/test_dask_gufunc.py::test_results_have_names
dimensions that are solved for, two dtypes | spmv
  NumPy: calls/test_solved_dimensions.py::test_size_less_one
  PyTorch: adapters/test_torch_results.py::test_dimensions_are_solved
  JAX: adapters/test_jax_results.py::test_dimensions_are_solved
  CuPy: interop/test_cupy_declarations.py::test_dimensions_are_solved
  Dask: adapters/test_dask_gufunc.py::test_dimensions_are_solved
results in the caller's library | gemv
  NumPy: calls/test_results.py::test_a_new_array
  PyTorch: interop/test_torch.py::test_results_are_tensors_where_the_arguments_are
  JAX: adapters/test_jax_arrays.py::test_new_arrays_are_jaxs
  CuPy: interop/test_cupy.py::test_results_are_cupys_arrays
  Dask: adapters/test_dask_gufunc.py::test_chunks_are_cuvec
errors of kernels | gather
  NumPy: calls/test_kernel_errors.py::test_one_index_out_of_range
  PyTorch: adapters/test_torch_results.py::test_errors_of_kernels
  JAX: adapters/test_jax_functions.py::test_errors_of_kernels
  CuPy: interop/test_cupy_declarations.py::test_errors_of_kernels
  Dask: adapters/test_dask_gufunc.py::test_errors_of_kernels
an index out of range, in CUDA C++ with DEBUG | twice_at
  NumPy: calls/test_kernel_errors.py::test_indices_of_views_in_a_debug_build
results of 8 bits | quantize, scale
  NumPy: arrays/test_small_floats.py::test_arrays_of_larger_floats_become_8_bits, arrays/test_small_floats.py::test_results_are_rounded_as_ml_dtypes_does
  PyTorch: adapters/test_torch_results.py::test_tensors_of_floats_become_8_bits
  JAX: adapters/test_jax_results.py::test_arrays_of_floats_become_8_bits
  CuPy: interop/test_cupy_declarations.py::test_results_that_cupy_has_no_dtype_for
empty batches | gather
  NumPy: calls/test_results.py::test_empty_batches_run_no_body
  PyTorch: adapters/test_torch_results.py::test_empty_batches
  JAX: adapters/test_jax_functions.py::test_empty_and_0d_arrays
  CuPy: interop/test_cupy_declarations.py::test_empty_batches
  Dask: adapters/test_dask_gufunc.py::test_leading_dimensions_of_size_zero
one wrapper for all libraries | rms_norm
  NumPy: interop/test_wrappers.py::test_a_wrapper_that_is_written_once
  PyTorch: interop/test_wrappers.py::test_a_wrapper_that_is_written_once
  JAX: interop/test_wrappers.py::test_a_wrapper_that_is_written_once
  CuPy: interop/test_wrappers.py::test_a_wrapper_that_is_written_once
  Dask: interop/test_wrappers.py::test_a_wrapper_that_is_written_once
structs, by value | stretch
  NumPy: calls/test_structs.py::test_a_record_of_another_layout_is_read_by_its_members
  PyTorch: adapters/test_torch_structs.py::test_results
  JAX: adapters/test_jax_structs.py::test_results
  CuPy: interop/test_cupy_declarations.py::test_structs_by_value
  Dask: adapters/test_dask_gufunc.py::test_structs_by_value
structs, in arrays | spawn
  NumPy: calls/test_structs.py::test_by_value
  PyTorch: calls/test_structs.py::test_results_are_of_cuvec_whatever_the_library_of_arguments
  JAX: calls/test_structs.py::test_results_are_of_cuvec_whatever_the_library_of_arguments
  CuPy: interop/test_cupy_declarations.py::test_structs_by_value
  Dask: calls/test_structs.py::test_arrays_of_dask_are_refused
functions for their effect | require
  NumPy: calls/test_effects.py::test_a_function_without_arrays
GPU only | weigh
  NumPy: calls/test_gpu_only.py::test_without_a_gpu_it_is_an_error
clusters, cooperative and dependent launches | exchange
  NumPy: calls/test_launches.py::test_blocks_of_a_cluster_share_memory_and_a_dependent_launch_comes_after_them
optional arrays that are written | clamp
  NumPy: calls/test_written_optional_arrays.py::test_what_is_none_is_not_written
  PyTorch: adapters/test_written_optional_arrays_of_libraries.py::test_in_torch
  JAX: adapters/test_written_optional_arrays_of_libraries.py::test_in_jax
  CuPy: interop/test_cupy_declarations.py::test_optional_arrays_that_are_written
  Dask: adapters/test_written_optional_arrays_of_libraries.py::test_in_dask
a dtype that an argument chooses | astype
  NumPy: calls/test_dtype_arguments.py::test_the_result_has_the_dtype_that_is_asked_for
  PyTorch: adapters/test_chosen_dtypes.py::test_in_torch
  JAX: adapters/test_chosen_dtypes.py::test_in_jax
  CuPy: interop/test_cupy_declarations.py::test_dtypes_that_are_asked_for
  Dask: adapters/test_chosen_dtypes.py::test_in_dask
a dtype that every call asks for | converted
  NumPy: calls/test_dtype_arguments.py::test_one_without_a_default_is_required
  PyTorch: adapters/test_chosen_dtypes.py::test_a_gradient_in_torch
  JAX: adapters/test_chosen_dtypes.py::test_in_jax
  CuPy: interop/test_cupy_declarations.py::test_dtypes_that_are_asked_for
  Dask: adapters/test_chosen_dtypes.py::test_in_dask
calculated defaults | wave
  NumPy: calls/test_calculated_defaults.py::test_they_are_numbers_as_python_calculates_them
  PyTorch: calls/test_calculated_defaults.py::test_in_torch
  JAX: calls/test_calculated_defaults.py::test_in_jax
  Dask: calls/test_calculated_defaults.py::test_in_dask
int64 beside int32 | csr_product
  NumPy: calls/test_shared_dtypes.py::test_every_combination
  PyTorch: adapters/test_torch_results.py::test_indices_of_another_dtype
  JAX: adapters/test_jax_functions.py::test_indices_of_another_dtype
  CuPy: interop/test_cupy_declarations.py::test_sparse_matrices_are_three_arrays
  Dask: adapters/test_dask_gufunc.py::test_indices_of_another_dtype
documentation of parameters and results | rms_norm
  NumPy: calls/test_documentation.py::test_what_is_written_of_an_argument_stands_at_its_type
  PyTorch: calls/test_documentation.py::test_other_libraries_have_the_same
  JAX: calls/test_documentation.py::test_other_libraries_have_the_same
  Dask: calls/test_documentation.py::test_other_libraries_have_the_same
code for one kind of GPU, with wgmma | tile_product
  NumPy: calls/test_architectures.py::test_a_kernel_for_one_architecture
code for one kind of GPU, with TMA | tile_transpose
  NumPy: calls/test_architectures.py::test_a_kernel_that_copies_by_tma
CUDA graphs of programs | axpy
  PyTorch: streams/test_graph_capture.py::test_graphs_of_torch_are_replayed
  JAX: adapters/test_jax_graphs.py::test_calls_are_captured
classes | Filter
  NumPy: calls/test_classes.py::test_methods_work_on_the_state_of_their_object
  PyTorch: calls/test_classes.py::test_tensors_are_arguments_and_results
  JAX: calls/test_classes.py::test_arrays_of_jax_are_arguments
classes of several dtypes | Averager
  NumPy: calls/test_dtypes_of_classes.py::test_an_argument_of_the_constructor_chooses_the_dtype
  PyTorch: calls/test_dtypes_of_classes.py::test_dtypes_of_pytorch_are_taken
reductions of a block and of a warp | total, row_facts
  NumPy: calls/test_atomics.py::test_the_sum_of_a_block, calls/test_collectives.py::test_rows
largest and smallest of a block | extremes
  NumPy: calls/test_atomics.py::test_the_extremes_of_many_blocks
textures | resample
  NumPy: calls/test_textures.py::test_all_bits_of_volumes
constant tables | look_up
  NumPy: calls/test_tables.py::test_it_is_what_was_set_last
functions that call others | composed
  NumPy: calls/test_composed.py::test_other_functions_calculate_its_results
C++20 | – | cu
  NumPy: test_functions_alone.py::test_the_standard
device headers of curand | – | cu
  NumPy: test_functions_alone.py::test_nvcc_finds_the_headers_of_curand
names that Python has for something else | – | cu rust
  NumPy: test_failures.py::test_a_name_that_python_cannot_have
names of functions of C | – | cu rust
  NumPy: test_add.py::test_stubs_pass_their_tests
types of results | – | cu rust
  NumPy: test_add.py::test_types_of_results
  PyTorch: test_add.py::test_types_of_results
  JAX: test_add.py::test_types_of_results
  Dask: test_add.py::test_types_of_results
CUB | prefix_sums
  NumPy: calls/test_cub.py::test_sums
Thrust | argsort
  NumPy: calls/test_cub.py::test_sorting_with_thrust
lines that a kernel prints | shown
  NumPy: calls/test_prints.py::test_lines_are_printed_when_the_call_is_waited_for
atomics of every dtype | tally
  NumPy: calls/test_atomics.py::test_nothing_that_is_added_is_lost
"""

LIBRARIES = ("NumPy", "PyTorch", "JAX", "CuPy", "Dask")


def path_of(test: str) -> Path:
    """The file of `folder/file.py::name` or `file.py`, which has the test of this name; an error if there is none."""
    file, _, name = test.partition("::")
    folders = (TESTS, ROOT / "bench/kernels/tests", ROOT / "templates/common/tests", ROOT / "ci/package")
    places = [folder / (file + end) for folder in folders for end in ("", ".hbs")]
    path = next((place for place in places if place.is_file()), None)
    if path is None or not re.search(rf"^def {name or '[a-z_]+'}\(", path.read_text(), re.MULTILINE):
        raise ValueError(f"there is no test {test}")
    return path


def shown(test: str, folder: Path) -> str:
    """As the page names it: where it is in the folder, or in the repository if it is in another one, and which one."""
    path, name = path_of(test), test.partition("::")[2]
    return f"`{path.relative_to(folder if folder in path.parents else ROOT)}{name and '::' + name}`"


def lines_in(kind: str, function: str, test: str) -> str:
    """Tests of `tests/conformance` are of its kernels, which may have the name of another one."""
    others = (*FOLDERS[:-1], "docs/kernels/{}")
    files = ours(kind, function, FOLDERS[-1:] if TESTS in path_of(test).parents else others)
    return f"{count_all(files)}, `{files[0].parent.relative_to(ROOT)}`" if files else "–"


def kinds() -> list[list[str]]:
    table = [["kind", "function", "lines in CUDA C++", "lines in Rust", "test"]]
    for line in KINDS.strip().splitlines():
        kind, function, test = line.split(" | ")
        table.append([kind, f"`{function}`", *(lines_in(each, function, test) for each in ENDINGS), shown(test, ROOT)])
    return table


def capabilities() -> list[list[str]]:
    table = [["capability", "function", "CUDA C++", "Rust", "tests"]]
    for entry in re.split(r"\n(?! )", CAPABILITIES.strip()):
        (first, *lines) = entry.splitlines()
        capability, function, *languages = first.split(" | ")
        tests = dict(line.strip().split(": ") for line in lines)
        assert [*tests] == [library for library in LIBRARIES if library in tests], capability
        said = languages[0].split() if languages else None
        functions = function.split(", ")
        found = [{name for name in functions if ours(kind, name, FOLDERS[-1:])} for kind in ENDINGS]
        assert languages or set().union(*found) == {*functions}, function
        written = [bool(names) if said is None else kind in said for kind, names in zip(ENDINGS, found, strict=True)]
        cells = [
            f"{library} {', '.join(shown(test, TESTS) for test in names.split(', '))}"
            for library, names in tests.items()
        ]
        table.append(
            [
                capability,
                "–" if languages else ", ".join(f"`{name}`" for name in functions),
                *("yes" if it else "–" for it in written),
                "<br>".join(cells),
            ]
        )
    return table


def markdown(rows: list[list[str]]) -> str:
    head, *body = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([head, "|" + "---|" * len(rows[0]), *body])


def page() -> str:
    return PAGE.read_text().format(kinds=markdown(kinds()), capabilities=markdown(capabilities()))


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page())
